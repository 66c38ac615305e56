//! How is a stream cut into lines without trusting their length?

use tokio::io::{AsyncBufReadExt as _, AsyncRead, BufReader};

/// A buffer that grew beyond this is not kept for the next line.
const BUFFER_KEPT: usize = 1024 * 1024;

/// One line, without its end.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Line<'a> {
    /// A line within the limit.
    Whole(&'a [u8]),
    /// What is left of a line beyond it.
    TooLong {
        /// Its first bytes.
        head: &'a [u8],
        /// Its last bytes.
        tail: &'a [u8],
    },
}

/// Reads lines of at most `max` bytes; of longer ones only the two ends are kept.
pub(crate) struct Lines<R> {
    reader: BufReader<R>,
    line: Vec<u8>,
    tail: Vec<u8>,
    max: usize,
    kept: usize,
}

impl<R: AsyncRead + Unpin> Lines<R> {
    /// Reads lines of at most `max` bytes, and `kept` bytes of either end of longer ones.
    pub fn new(reader: R, max: usize, kept: usize) -> Self {
        Self {
            reader: BufReader::with_capacity(64 * 1024, reader),
            line: Vec::new(),
            tail: Vec::new(),
            max,
            kept,
        }
    }

    /// The next line; `None` at the end of the stream. A last line without an end counts.
    pub async fn next(&mut self) -> std::io::Result<Option<Line<'_>>> {
        self.line.clear();
        self.line.shrink_to(BUFFER_KEPT);
        self.tail.clear();
        let (mut too_long, mut begun) = (false, false);
        loop {
            let chunk = self.reader.fill_buf().await?;
            if chunk.is_empty() {
                break;
            }
            begun = true;
            let end = chunk.iter().position(|&byte| byte == b'\n');
            let piece = &chunk[..end.unwrap_or(chunk.len())];
            if too_long || self.line.len() + piece.len() > self.max {
                if !too_long {
                    too_long = true;
                    keep_tail(&mut self.tail, &self.line, self.kept);
                    self.line.truncate(self.kept);
                }
                let room = self.kept - self.line.len();
                self.line.extend_from_slice(&piece[..room.min(piece.len())]);
                keep_tail(&mut self.tail, piece, self.kept);
            } else {
                self.line.extend_from_slice(piece);
            }
            let used = piece.len() + usize::from(end.is_some());
            self.reader.consume(used);
            if end.is_some() {
                break;
            }
        }
        Ok(match (begun, too_long) {
            (false, _) => None,
            (true, false) => Some(Line::Whole(&self.line)),
            (true, true) => Some(Line::TooLong {
                head: &self.line,
                tail: &self.tail,
            }),
        })
    }
}

fn keep_tail(tail: &mut Vec<u8>, piece: &[u8], kept: usize) {
    tail.extend_from_slice(&piece[piece.len().saturating_sub(kept)..]);
    let excess = tail.len().saturating_sub(kept);
    tail.drain(..excess);
}

/// The id of an answer of which only the two ends are known. Servers write it first or last.
pub(crate) fn id_of_ends(head: &[u8], tail: &[u8]) -> Option<u64> {
    let (head, tail) = (String::from_utf8_lossy(head), String::from_utf8_lossy(tail));
    let before_payload = head
        .find("\"result\"")
        .or_else(|| head.find("\"error\""))
        .map_or(&*head, |end| &head[..end]);
    let after_payload = tail.rfind('}').map_or("", |end| &tail[..end]);
    let last_member = after_payload
        .rfind(['}', ']', '{', '['])
        .map_or(after_payload, |at| &after_payload[at..]);
    [before_payload, last_member].into_iter().find_map(|text| {
        let value = text
            .split_once("\"id\"")?
            .1
            .trim_start()
            .strip_prefix(':')?
            .trim_start();
        let digits = value.trim_start_matches('"');
        let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
        digits[..end].parse().ok()
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    async fn read(stream: &[u8], max: usize) -> Vec<String> {
        let (mut lines, mut read) = (Lines::new(stream, max, 256), Vec::new());
        while let Some(line) = lines.next().await.unwrap() {
            read.push(match line {
                Line::Whole(line) => String::from_utf8_lossy(line).into_owned(),
                Line::TooLong { head, tail } => format!("{}+{}", head.len(), tail.len()),
            });
        }
        read
    }

    #[tokio::test]
    async fn lines_are_cut_and_long_ones_keep_their_ends() {
        assert_eq!(read(b"a\n\nbc", 10).await, ["a", "", "bc"]);
        assert_eq!(read(b"", 10).await, [] as [&str; 0]);
        let mut long = vec![b'x'; 200_000];
        long.extend_from_slice(b"\nnext\n");
        assert_eq!(read(&long, 100_000).await, ["256+256", "next"]);
        assert_eq!(read(&long, 200_000).await.len(), 2);
        assert_eq!(read(b"12345678901\nok\n", 10).await, ["11+11", "ok"]);
    }

    /// What the reader must do, said plainly.
    fn naive(stream: &[u8], max: usize, kept: usize) -> Vec<(Vec<u8>, Option<Vec<u8>>)> {
        let mut lines: Vec<&[u8]> = stream.split(|&byte| byte == b'\n').collect();
        if lines.last().is_some_and(|last| last.is_empty()) {
            lines.pop();
        }
        lines
            .into_iter()
            .map(|line| {
                if line.len() <= max {
                    return (line.to_vec(), None);
                }
                let ends = kept.min(line.len());
                (line[..ends].to_vec(), Some(line[line.len() - ends..].to_vec()))
            })
            .collect()
    }

    proptest! {
        /// However the stream arrives, the lines are the same as when it is read at once.
        #[test]
        fn lines_are_those_of_the_naive_twin(
            stream in prop::collection::vec(prop::sample::select(b"abc\n".to_vec()), 0..200),
            max in 0_usize..20,
            kept in 0_usize..20,
            pipe in 1_usize..10,
        ) {
            let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
            let read = runtime.block_on(async {
                let (mut input, output) = tokio::io::duplex(pipe);
                let sent = stream.clone();
                let writing = tokio::spawn(async move {
                    tokio::io::AsyncWriteExt::write_all(&mut input, &sent).await.unwrap();
                });
                let (mut lines, mut read) = (Lines::new(output, max, kept), Vec::new());
                while let Some(line) = lines.next().await.unwrap() {
                    read.push(match line {
                        Line::Whole(line) => (line.to_vec(), None),
                        Line::TooLong { head, tail } => (head.to_vec(), Some(tail.to_vec())),
                    });
                }
                writing.await.unwrap();
                read
            });
            prop_assert_eq!(read, naive(&stream, max, kept));
        }
    }

    #[test]
    fn the_id_is_found_at_either_end() {
        for (head, tail, expected) in [
            (
                r#"{"jsonrpc":"2.0","id":12,"result":{"id":3,"#,
                r#""x"}}"#,
                Some(12),
            ),
            (r#"{"jsonrpc": "2.0", "id": "12", "result": {"#, "x", Some(12)),
            (
                r#"{"result":{"id":3"#,
                r#"}]},"jsonrpc":"2.0","id":12}"#,
                Some(12),
            ),
            (r#"{"result":{"id":3"#, r#""id":4}]}}"#, None),
            ("xxxxx", "xxxxx", None),
        ] {
            assert_eq!(
                id_of_ends(head.as_bytes(), tail.as_bytes()),
                expected,
                "{head} {tail}"
            );
        }
    }
}
