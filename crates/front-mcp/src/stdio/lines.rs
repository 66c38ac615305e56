//! Where does one message end and the next begin on a stream of lines?

use std::io;

use tokio::io::{AsyncBufRead, AsyncBufReadExt as _};

use crate::front::BODY_BYTES_MAX;

/// Reads lines, none of them longer than a message may be.
pub(super) struct LineReader<R> {
    input: R,
    line: Vec<u8>,
    /// The rest of a line that was too long is passed over.
    skipping: bool,
}

/// What was read.
pub(super) enum Line<'a> {
    /// A line without its line break.
    Whole(&'a [u8]),
    /// A line that grows beyond the limit; told as soon as it does.
    TooLong,
}

impl<R: AsyncBufRead + Unpin> LineReader<R> {
    /// Reads lines from `input`.
    pub(super) fn new(input: R) -> Self {
        Self {
            input,
            line: Vec::new(),
            skipping: false,
        }
    }

    /// The next line; nothing at the end. A last line needs no line break.
    ///
    /// Cancel-safe: what was read of a line is kept for the next call.
    pub(super) async fn next(&mut self) -> io::Result<Option<Line<'_>>> {
        if self.line.last() == Some(&b'\n') {
            self.line.clear();
        }
        loop {
            let chunk = self.input.fill_buf().await?;
            if chunk.is_empty() {
                return Ok(self.last());
            }
            let end = chunk.iter().position(|&byte| byte == b'\n').map(|end| end + 1);
            let taken = end.unwrap_or(chunk.len());
            let fits = self.line.len() + taken <= BODY_BYTES_MAX + usize::from(end.is_some());
            if fits && !self.skipping {
                self.line.extend_from_slice(&chunk[..taken]);
            }
            self.input.consume(taken);
            let was_skipping = self.skipping;
            self.skipping = (was_skipping || !fits) && end.is_none();
            if !fits && !was_skipping {
                self.line = Vec::new();
                return Ok(Some(Line::TooLong));
            }
            if end.is_some() && !was_skipping {
                return Ok(Some(Line::Whole(&self.line)));
            }
        }
    }

    /// What stands between the last line break and the end.
    fn last(&mut self) -> Option<Line<'_>> {
        if self.line.is_empty() {
            return None;
        }
        // Marks the line as given.
        self.line.push(b'\n');
        Some(Line::Whole(&self.line))
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::BufReader;

    use super::*;

    async fn lines(input: &[u8], buffer: usize) -> Vec<String> {
        let mut reader = LineReader::new(BufReader::with_capacity(buffer, input));
        let mut lines = Vec::new();
        while let Some(line) = reader.next().await.unwrap() {
            lines.push(match line {
                Line::Whole(line) => String::from_utf8(line.trim_ascii().to_vec()).unwrap(),
                Line::TooLong => "too long".to_owned(),
            });
        }
        lines
    }

    #[tokio::test]
    async fn lines_are_read_whatever_the_chunks() {
        for buffer in [1, 2, 3, 7, 100] {
            assert_eq!(
                lines(b"a\n\nbc\r\nd", buffer).await,
                ["a", "", "bc", "d"],
                "{buffer}"
            );
            assert!(lines(b"", buffer).await.is_empty());
        }
    }

    /// E8: exactly the limit passes, one byte more does not, and the next line is read.
    #[tokio::test]
    async fn e8_the_limit() {
        for (length, expected) in [(BODY_BYTES_MAX, "whole"), (BODY_BYTES_MAX + 1, "too long")] {
            for end in ["\n", ""] {
                let mut input = vec![b'x'; length];
                input.extend_from_slice(end.as_bytes());
                if !end.is_empty() {
                    input.extend_from_slice(b"next\n");
                }
                let read = lines(&input, 1 << 16).await;
                let first = if read[0].len() == length {
                    "whole"
                } else {
                    read[0].as_str()
                };
                assert_eq!(first, expected, "{length} {end:?}");
                assert_eq!(read.len(), if end.is_empty() { 1 } else { 2 });
            }
        }
        let endless = vec![b'x'; 3 * BODY_BYTES_MAX];
        assert_eq!(lines(&endless, 1 << 16).await, ["too long"], "told once");
    }
}
