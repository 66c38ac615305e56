//! How is a stream of server-sent events read?

/// The most bytes one event may have.
pub(crate) const EVENT_BYTES_MAX: usize = 64 * 1024 * 1024;

/// One event with data, or one that only moves the stream's position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Event {
    /// Its type; empty means `message`.
    pub name: String,
    /// Its data lines, joined.
    pub data: Vec<u8>,
}

/// Reads events out of chunks of bytes, wherever the chunks are cut. Follows the event stream format
/// of the HTML standard: any line ending, comments, a byte order mark, several `data` lines.
#[derive(Debug, Default)]
pub(crate) struct EventReader {
    buffer: Vec<u8>,
    /// Start of the line being read.
    line_start: usize,
    /// Bytes before this hold no further line ending.
    scanned: usize,
    /// The last line ended with a carriage return: a line feed that follows belongs to it.
    after_return: bool,
    begun: bool,
    event: Event,
    has_data: bool,
    /// The id of the last event that had one: where a stream is resumed.
    pub last_id: Option<String>,
    /// How long the server wants us to wait before we come back, in milliseconds.
    pub retry_ms: Option<u64>,
}

/// An event that is larger than [`EVENT_BYTES_MAX`].
#[derive(Debug)]
pub(crate) struct TooLarge;

impl EventReader {
    /// A reader for the stream that takes this one up where it ended.
    pub fn resumed(&self) -> Self {
        Self {
            last_id: self.last_id.clone(),
            retry_ms: self.retry_ms,
            ..Self::default()
        }
    }

    /// Takes in the next chunk.
    pub fn push(&mut self, chunk: &[u8]) -> Result<(), TooLarge> {
        if self.line_start > 0 {
            self.buffer.drain(..self.line_start);
            self.scanned -= self.line_start;
            self.line_start = 0;
        }
        if self.buffer.len() + self.event.data.len() + chunk.len() > EVENT_BYTES_MAX {
            return Err(TooLarge);
        }
        self.buffer.extend_from_slice(chunk);
        Ok(())
    }

    /// The next complete event that has data.
    pub fn next(&mut self) -> Option<Event> {
        while let Some((start, end)) = self.next_line() {
            if start == end {
                let event = std::mem::take(&mut self.event);
                if std::mem::take(&mut self.has_data) {
                    return Some(event);
                }
            } else {
                self.field(start, end);
            }
        }
        None
    }

    /// The bounds of the next complete line.
    fn next_line(&mut self) -> Option<(usize, usize)> {
        if self.after_return {
            match self.buffer.get(self.line_start) {
                Some(b'\n') => {
                    self.line_start += 1;
                    self.scanned = self.scanned.max(self.line_start);
                    self.after_return = false;
                }
                Some(_) => self.after_return = false,
                None => return None,
            }
        }
        let found = self.buffer[self.scanned..]
            .iter()
            .position(|&byte| byte == b'\n' || byte == b'\r');
        let Some(offset) = found else {
            self.scanned = self.buffer.len();
            return None;
        };
        let (mut start, end) = (self.line_start, self.scanned + offset);
        self.after_return = self.buffer[end] == b'\r';
        self.line_start = end + 1;
        self.scanned = end + 1;
        if !std::mem::replace(&mut self.begun, true) && self.buffer[start..end].starts_with(b"\xef\xbb\xbf") {
            start += 3;
        }
        Some((start, end))
    }

    fn field(&mut self, start: usize, end: usize) {
        let line = &self.buffer[start..end];
        let (name, value) = match line.iter().position(|&byte| byte == b':') {
            Some(colon) => {
                let value = &line[colon + 1..];
                (&line[..colon], value.strip_prefix(b" ").unwrap_or(value))
            }
            None => (line, &b""[..]),
        };
        let text = || String::from_utf8_lossy(value).into_owned();
        match name {
            b"data" => {
                if self.has_data {
                    self.event.data.push(b'\n');
                }
                self.has_data = true;
                self.event.data.extend_from_slice(value);
            }
            b"event" => self.event.name = text(),
            b"id" if !value.contains(&0) => self.last_id = Some(text()),
            b"retry" => self.retry_ms = text().parse().ok().or(self.retry_ms),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(chunks: &[&[u8]]) -> (Vec<(String, String)>, EventReader) {
        let (mut reader, mut events) = (EventReader::default(), Vec::new());
        for chunk in chunks {
            reader.push(chunk).unwrap();
            while let Some(event) = reader.next() {
                events.push((event.name, String::from_utf8(event.data).unwrap()));
            }
        }
        (events, reader)
    }

    #[track_caller]
    fn check(stream: &str, expected: &[(&str, &str)]) {
        let (events, _) = read(&[stream.as_bytes()]);
        let events: Vec<_> = events.iter().map(|(name, data)| (&**name, &**data)).collect();
        assert_eq!(events, expected, "{stream:?}");
    }

    #[test]
    fn events_are_read_as_the_standard_says() {
        check("data: a\n\n", &[("", "a")]);
        check(
            "data:a\r\n\r\ndata: b\r\rdata: c\n\n",
            &[("", "a"), ("", "b"), ("", "c")],
        );
        check("event: endpoint\ndata: /x?y=1\n\n", &[("endpoint", "/x?y=1")]);
        check("data: a\ndata:  b\ndata\n\n", &[("", "a\n b\n")]);
        check(":comment\n\ndata: a\n:another\n\n", &[("", "a")]);
        check("\u{feff}data: a\n\n", &[("", "a")]);
        check("data: unfinished\n", &[]);
        check("event: x\n\ndata: y\n\n", &[("", "y")]);
        check("data:\n\n", &[("", "")]);
    }

    /// A priming event has an id and empty data.
    #[test]
    fn positions_and_pauses_are_remembered() {
        let (events, reader) = read(&[b"id: 7\nretry: 250\ndata:\n\nretry: soon\nid: a\0b\n\n"]);
        assert_eq!(events, [(String::new(), String::new())]);
        assert_eq!(reader.last_id.as_deref(), Some("7"));
        assert_eq!(reader.retry_ms, Some(250));
    }

    #[test]
    fn an_event_without_end_is_refused() {
        let mut reader = EventReader::default();
        let chunk = vec![b'x'; EVENT_BYTES_MAX / 4];
        let mut refused = false;
        for _ in 0..5 {
            refused |= reader.push(&chunk).is_err();
            assert!(reader.next().is_none());
        }
        assert!(refused);
    }

    proptest! {
        /// Wherever the network cuts the stream, the events are the same.
        #[test]
        fn cuts_do_not_matter(
            lines in prop::collection::vec("(data|event|id|:| data)?:? ?[a-zä:]{0,6}", 0..20),
            endings in prop::collection::vec(prop::sample::select(vec!["\n", "\r\n", "\r"]), 20),
            cuts in prop::collection::vec(0_usize..200, 0..12),
        ) {
            let stream: String = lines.iter().zip(&endings).flat_map(|(line, end)| [line.as_str(), end]).collect();
            let bytes = stream.as_bytes();
            let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(bytes.len())).collect();
            cuts.extend([0, bytes.len()]);
            cuts.sort_unstable();
            let pieces: Vec<&[u8]> = cuts.windows(2).map(|pair| &bytes[pair[0]..pair[1]]).collect();
            prop_assert_eq!(read(&pieces).0, read(&[bytes]).0);
        }
    }
}
