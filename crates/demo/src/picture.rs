//! How is a small bar chart drawn without a drawing library?

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

/// Height of every chart, in pixels.
const HEIGHT: usize = 48;
/// Width of a bar and of the gap behind it, in pixels.
const BAR: usize = 10;
const GAP: usize = 4;
/// Most bars drawn, so that a chart stays small.
const BARS_MAX: usize = 64;

/// An MCP image block: one bar a value, the largest as high as the picture. Negative values draw nothing.
pub(crate) fn bar_chart(values: &[f64]) -> Value {
    json!({"type": "image", "data": STANDARD.encode(png(values)), "mimeType": "image/png"})
}

/// A PNG of one bit a pixel: black bars on white.
fn png(values: &[f64]) -> Vec<u8> {
    let values = &values[..values.len().min(BARS_MAX)];
    let width = GAP + values.len() * (BAR + GAP);
    let mut header = Vec::new();
    header.extend((width as u32).to_be_bytes());
    header.extend((HEIGHT as u32).to_be_bytes());
    // One bit deep, greyscale, and the only methods PNG has for compression, filter and order.
    header.extend([1, 0, 0, 0, 0]);

    let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
    chunk(&mut file, *b"IHDR", &header);
    chunk(&mut file, *b"IDAT", &stored(&pixels(values, width)));
    chunk(&mut file, *b"IEND", &[]);
    file
}

/// The rows of the picture, each behind its filter byte.
fn pixels(values: &[f64], width: usize) -> Vec<u8> {
    let largest = values.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
    let mut rows = Vec::new();
    for y in 0..HEIGHT {
        let mut row = vec![0xff_u8; width.div_ceil(8)];
        for (index, value) in values.iter().enumerate() {
            let bar_height = value / largest * HEIGHT as f64;
            if bar_height <= (HEIGHT - 1 - y) as f64 {
                continue;
            }
            let left = GAP + index * (BAR + GAP);
            for x in left..left + BAR {
                row[x / 8] &= !(0x80 >> (x % 8));
            }
        }
        rows.push(0);
        rows.append(&mut row);
    }
    rows
}

/// The data as a zlib stream of one stored block; a chart is far below the 64 KiB such a block holds.
fn stored(data: &[u8]) -> Vec<u8> {
    let length = data.len() as u16;
    let mut stream = vec![0x78, 0x01, 0x01];
    stream.extend(length.to_le_bytes());
    stream.extend((!length).to_le_bytes());
    stream.extend(data);
    stream.extend(adler32(data).to_be_bytes());
    stream
}

fn chunk(file: &mut Vec<u8>, kind: [u8; 4], data: &[u8]) {
    file.extend((data.len() as u32).to_be_bytes());
    let start = file.len();
    file.extend(kind);
    file.extend(data);
    file.extend(crc32(&file[start..]).to_be_bytes());
}

fn crc32(data: &[u8]) -> u32 {
    !data.iter().fold(u32::MAX, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| {
            (crc >> 1) ^ if crc & 1 == 1 { 0xedb8_8320 } else { 0 }
        })
    })
}

fn adler32(data: &[u8]) -> u32 {
    let (low, high) = data.iter().fold((1_u32, 0_u32), |(low, high), byte| {
        let low = (low + u32::from(*byte)) % 65_521;
        (low, (high + low) % 65_521)
    });
    high << 16 | low
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The check values printed in the definitions of both sums.
    #[test]
    fn checksums() {
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
        assert_eq!(adler32(b"Wikipedia"), 0x11e6_0398);
    }

    #[test]
    fn bars_are_as_high_as_their_values() {
        let values = [0.0, 1.0, 2.0, 4.0];
        let width = GAP + values.len() * (BAR + GAP);
        let rows = pixels(&values, width);
        let black_in_bar = |index: usize| {
            let x = GAP + index * (BAR + GAP);
            rows.chunks(width.div_ceil(8) + 1)
                .filter(|row| row[1 + x / 8] & (0x80 >> (x % 8)) == 0)
                .count()
        };
        let heights: Vec<usize> = (0..values.len()).map(black_in_bar).collect();
        assert_eq!(heights, [0, HEIGHT / 4, HEIGHT / 2, HEIGHT]);
    }

    #[test]
    fn odd_values_draw_something_valid() {
        for values in [&[][..], &[-1.0], &[f64::NAN, f64::INFINITY], &[0.0; 1000]] {
            assert!(png(values).starts_with(b"\x89PNG"));
        }
    }
}
