//! What does Linux say about a process?

use std::fs;
use std::time::Duration;

/// Whether this system tells anything.
pub fn is_there() -> bool {
    fs::exists("/proc/self/status").unwrap_or(false)
}

/// Resident memory (`VmRSS`), in bytes.
pub fn resident(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kibibytes: u64 = line.trim().strip_suffix(" kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}

/// How many processes it has started: its children, and one more if any have come and gone.
pub fn children(process: u32) -> usize {
    let living = fs::read_dir("/proc")
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .filter(|&other: &u32| field(other, PARENT) == Some(u64::from(process)))
        .count();
    living + usize::from(field(process, FAULTS_OF_ENDED_CHILDREN).is_some_and(|faults| faults > 0))
}

/// The processor time it has taken, in steps of ten milliseconds.
pub fn processor_time(process: u32) -> Option<Duration> {
    let ticks = field(process, USER_TICKS)? + field(process, SYSTEM_TICKS)?;
    Some(TICK * u32::try_from(ticks).ok()?)
}

/// The unit of times in `/proc`, the same on every Linux.
const TICK: Duration = Duration::from_millis(10);

/// Fields of `/proc/PID/stat`, counted behind the name.
const PARENT: usize = 1;
/// Page faults of children it has waited for. No process runs without one.
const FAULTS_OF_ENDED_CHILDREN: usize = 8;
const USER_TICKS: usize = 11;
const SYSTEM_TICKS: usize = 12;

fn field(process: u32, number: usize) -> Option<u64> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name is in parentheses and may hold anything.
    let (_, behind_name) = stat.rsplit_once(')')?;
    behind_name.split_whitespace().nth(number)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::processes::Running;
    use std::process::Command;

    #[test]
    fn children_are_seen_while_they_live_and_afterwards() {
        if !is_there() {
            return;
        }
        let own = std::process::id();
        assert!(resident(own).unwrap() > 100_000);
        let child = Running::start(Command::new("sleep").arg("60")).unwrap();
        let id = child.id();
        assert!(children(own) >= 1);
        drop(child);
        assert!(children(own) >= 1);
        assert_eq!(children(id), 0);
    }
}
