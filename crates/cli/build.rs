//! Links the command so that less of it is resident: code that is seldom used beside each other (`seldom.ld`), and the places that the
//! loader relocates as a bit map, not as a table of 24 bytes for each, all of which it reads.
//!
//! In builds for use, where memory is measured, and with linkers that take it: each option is tried on an empty program, which must
//! also run. What this linker (or this system's loader) refuses is left out, and the build says so.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=seldom.ld");
    if variable("CARGO_CFG_TARGET_OS") != "linux" || variable("PROFILE") != "release" {
        return;
    }
    let script = format!("-Wl,-T,{}/seldom.ld", variable("CARGO_MANIFEST_DIR"));
    for option in [script.as_str(), "-Wl,-z,pack-relative-relocs"] {
        match probe(option) {
            Ok(()) => println!("cargo:rustc-link-arg-bin=samite={option}"),
            Err(why) => println!("cargo:warning=linked without {option}: {why}"),
        }
    }
}

fn variable(name: &str) -> String {
    std::env::var(name).unwrap_or_default()
}

/// Whether an empty program can be linked with the option, as this build links, and runs.
fn probe(option: &str) -> Result<(), String> {
    let directory = PathBuf::from(variable("OUT_DIR"));
    let (source, program) = (directory.join("probe.rs"), directory.join("probe"));
    std::fs::write(&source, "fn main() {}\n").map_err(|e| e.to_string())?;
    let mut rustc = Command::new(variable("RUSTC"));
    rustc.arg(&source).arg("-o").arg(&program);
    rustc.args([
        "--edition=2024",
        "-Cprefer-dynamic=no",
        "--target",
        &variable("TARGET"),
    ]);
    let linker = variable("RUSTC_LINKER");
    if !linker.is_empty() {
        rustc.arg(format!("-Clinker={linker}"));
    }
    // (Flags of the build, by the unit separator.)
    let flags = variable("CARGO_ENCODED_RUSTFLAGS");
    rustc.args(flags.split('\x1f').filter(|f| !f.is_empty()));
    succeeds(
        rustc.arg(format!("-Clink-arg={option}")),
        "the linker refuses it",
    )?;
    if variable("TARGET") == variable("HOST") {
        succeeds(
            &mut Command::new(Path::new(&program)),
            "what is linked with it does not run",
        )?;
    }
    Ok(())
}

fn succeeds(command: &mut Command, otherwise: &str) -> Result<(), String> {
    let run = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
    match run {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err(otherwise.to_owned()),
        Err(e) => Err(format!("{otherwise}: {e}")),
    }
}
