//! Links the command with the code that is seldom used beside each other (`seldom.ld`).
//!
//! For linkers that take such scripts, those of Linux, and where memory is measured: in builds for use.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=seldom.ld");
    let is = |name: &str, value: &str| std::env::var(name).is_ok_and(|v| v == value);
    if is("CARGO_CFG_TARGET_OS", "linux") && is("PROFILE", "release") {
        let here = std::env::var("CARGO_MANIFEST_DIR").unwrap_or_default();
        println!("cargo:rustc-link-arg-bin=samite=-Wl,-T,{here}/seldom.ld");
    }
}
