//! This process as the kernel sees it. Nothing here allocates.

/// Bytes of a page of the system.
pub fn page_size() -> usize {
    // SAFETY: sysconf only reads.
    let size = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    usize::try_from(size).unwrap_or(4096)
}

/// Bytes resident now; 0 where the kernel does not tell.
pub fn resident() -> usize {
    let mut text = [0u8; 128];
    // SAFETY: the path is a C string, the buffer has the length that is passed, the descriptor is closed once.
    let n = unsafe {
        let fd = libc::open(
            c"/proc/self/statm".as_ptr(),
            libc::O_RDONLY | libc::O_CLOEXEC,
        );
        if fd < 0 {
            return 0;
        }
        let n = libc::read(fd, text.as_mut_ptr().cast(), text.len());
        libc::close(fd);
        n
    };
    let text = &text[..usize::try_from(n).unwrap_or(0)];
    let mut fields = text.split(|b| *b == b' ');
    let pages = fields.nth(1).unwrap_or_default();
    let pages = pages
        .iter()
        .take_while(|b| b.is_ascii_digit())
        .fold(0usize, |n, b| n * 10 + usize::from(b - b'0'));
    pages * page_size()
}

/// Processors this process may run on.
pub fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

#[cfg(test)]
mod tests {
    #[test]
    #[cfg(target_os = "linux")]
    fn touched_memory_is_resident() {
        let before = super::resident();
        assert!(before > 0);
        let mut bytes = vec![1u8; 64 << 20];
        std::hint::black_box(&mut bytes);
        assert!(super::resident() > before + (48 << 20));
    }
}
