//! What the threads of a program share, for those who are not inside of it: whoever lets go of it last does so in the program's account.

use samite_machine::Program;
use samite_machine::host::Inside;
use std::mem::ManuallyDrop;
use std::ops::Deref;
use std::sync::Arc;

/// See the module text.
#[derive(Clone)]
pub(crate) struct System(ManuallyDrop<Arc<Program>>);

impl System {
    pub fn new(program: Arc<Program>) -> System {
        System(ManuallyDrop::new(program))
    }
}

impl Deref for System {
    type Target = Arc<Program>;
    fn deref(&self) -> &Arc<Program> {
        &self.0
    }
}

impl Drop for System {
    fn drop(&mut self) {
        let _inside = Inside::program(self.0.code.account);
        // SAFETY: nobody uses it after this.
        unsafe { ManuallyDrop::drop(&mut self.0) };
    }
}
