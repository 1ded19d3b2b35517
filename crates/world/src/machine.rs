//! What machine this is.

use crate::files;
use std::path::Path;

/// Bytes of memory that the process may have of the machine's: all of it, or what its control groups have as their limit (cgroups(7); `memory.max` of
/// the second version, `memory.limit_in_bytes` of the first). `None` if the system says neither.
pub fn memory() -> Option<u64> {
    let info = rustix::system::sysinfo();
    #[allow(clippy::useless_conversion)]
    // (A word of the system's, which is not this long everywhere.)
    let all = u64::from(info.totalram).saturating_mul(u64::from(info.mem_unit));
    let groups = files::text("/proc/self/cgroup").unwrap_or_default();
    (groups.lines().filter_map(limit_of_group))
        .chain((all > 0).then_some(all))
        .min()
}

/// The least limit of a group and those that it is in, by its line `number:controllers:path`.
fn limit_of_group(line: &str) -> Option<u64> {
    let mut parts = line.splitn(3, ':').skip(1);
    let (controllers, path) = (parts.next()?, parts.next()?);
    let (root, file) = match controllers {
        "" => ("/sys/fs/cgroup", "memory.max"),
        _ if controllers.split(',').any(|c| c == "memory") => {
            ("/sys/fs/cgroup/memory", "memory.limit_in_bytes")
        }
        _ => return None,
    };
    let path = path.trim_start_matches('/');
    (Path::new(path).ancestors())
        .filter_map(|group| files::text(Path::new(root).join(group).join(file)).ok())
        // (Without a limit: the word "max".)
        .filter_map(|text| text.trim().parse().ok())
        .min()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_some() {
        assert!(memory().is_some_and(|bytes| bytes >= 1 << 20));
    }

    #[test]
    fn lines_of_other_controllers_say_nothing() {
        assert_eq!(limit_of_group("5:devices:/"), None);
        assert_eq!(limit_of_group(""), None);
        assert_eq!(limit_of_group("0::"), limit_of_group("0::/"));
    }
}
