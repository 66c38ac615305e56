//! scratch
use handpick_inference::MiniLm;
use handpick_selection::Encoder;
fn rss() -> String {
    std::fs::read_to_string("/proc/self/status")
        .unwrap()
        .lines()
        .filter(|l| l.starts_with("VmRSS") || l.starts_with("Rss") || l.starts_with("VmHWM"))
        .collect::<Vec<_>>()
        .join(" ")
}
fn main() {
    eprintln!("start {}", rss());
    let t = std::time::Instant::now();
    let m = MiniLm::load().unwrap();
    eprintln!("load {:?} {}", t.elapsed(), rss());
    let lines: Vec<String> =
        serde_json::from_str(&std::fs::read_to_string(std::env::args().nth(1).unwrap()).unwrap()).unwrap();
    let texts: Vec<&str> = lines.iter().map(|s| s.as_str()).collect();
    let t = std::time::Instant::now();
    let v = m.encode(&texts[..1]).unwrap();
    eprintln!("one {:?} {}", t.elapsed(), rss());
    let t = std::time::Instant::now();
    let all = m.encode(&texts).unwrap();
    eprintln!(
        "{} texts {:.3} ms each {}",
        texts.len(),
        t.elapsed().as_secs_f64() * 1e3 / texts.len() as f64,
        rss()
    );
    assert_eq!(v[0], all[0]);
    std::fs::write(
        std::env::args().nth(2).unwrap(),
        serde_json::to_string(&all).unwrap(),
    )
    .unwrap();
}
