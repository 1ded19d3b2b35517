//! The instructions: one row each, from which everything that has to know all of them is made ([`crate::instr`]: the operation codes, the
//! length of an instruction, what the compiler's check counts, listings; in the machine the table of handlers). A new instruction is a new
//! row, and whoever does not know it yet does not compile.
//!
//! Where a row stands says something, too: what is between `GetConst` and `Load` may stand between a binding and a place ([`crate::instr::builds`]), what
//! is between `Add` and `Function2` is an operation of arithmetic ([`crate::instr::is_operation`]). The order within is free.
//!
//! A row: name, name in listings, handler in the machine's `ops`, whether it may bind a variable that was there before
//! ([`Effect`](crate::instr::Effect)), words that it pushes at `H` beside what its operands say, operands
//! ([`Operand`](crate::instr::Operand)) in the order of listings.

/// Calls a macro with all rows; see the module text.
#[macro_export]
macro_rules! instructions {
    ($rows:ident) => {
        $rows! {
        // --- control ---
        /// Return to the continuation.
        Proceed "proceed" (control::proceed) Quiet 0 [];
        /// No clause of the predicate of single-sided unification has taken the call, whose `a` arguments are in X0.. : backtrack if there is another
        /// alternative of it, else the error.
        NoRule "no_rule" (select::no_rule) Quiet 0 [Count, Predicate];
        /// Jump to the predicate; its arguments are in X0.. . A safe point.
        Execute "execute" (control::execute) Quiet 0 [Predicate];
        /// Build a frame of `a` slots that resumes at the label; followed by the sources: X register, or slot of E with bit 15 set.
        MakeFrame "make_frame" (control::make_frame) Quiet 2 [Label, Sources];
        /// Go to the label.
        Jump "jump" (control::jump) Quiet 0 [Label];
        /// Backtrack.
        Fail "fail" (fail) Quiet 0 [];
        /// Push a choicepoint that continues at the label and saves registers.
        TryElse "try_else" (control::try_else) Quiet 0 [Label, Registers];
        /// The same, unless the call has another alternative.
        TryRule "try_rule" (control::try_rule) Quiet 0 [Label, Registers];
        /// The choicepoint in Xa goes if it is the newest and that of a `TryRule` with this label: the rule has left none.
        EndRule "end_rule" (control::end_rule) Quiet 0 [Xa, WayBack];
        /// At an alternative: restore the registers, continue at the label next time.
        RetryElse "retry_else" (control::retry_else) Quiet 0 [Label, Registers];
        /// At the last alternative: restore the registers, drop the choicepoint.
        TrustElse "trust_else" (control::trust_else) Quiet 0 [Registers];
        /// Cut back to B0; at the label is a `ComeBack` to this instruction, for what has to run before it.
        CutNeck "cut_neck" (control::cut_neck) Quiet 0 [WayBack];
        /// Xa := B0.
        GetB0 "get_b0" (control::get_b0) Quiet 0 [Xa];
        /// Xa := B.
        SaveB "save_b" (control::save_b) Quiet 0 [Xa];
        /// What remains of a clause of the predicate is to succeed without a choicepoint: a frame looks at that, and a choicepoint at failure. B0 := B.
        Guard "guard" (control::guard) Quiet 0 [Predicate];
        /// Cut back to the barrier in Xa; `CONDITION` and `DECIDES` may be set.
        CutX "cut_x" (control::cut_x) Quiet 0 [Xa, WayBack];
        /// Cut back to the barrier in slot a; the same.
        CutY "cut_y" (control::cut_y) Quiet 0 [Ya, WayBack];
        /// The choicepoint in Xa becomes a mere failure; `DECIDES` may be set.
        SoftCutX "soft_cut_x" (control::soft_cut_x) Quiet 0 [Xa];
        /// The same, in slot a.
        SoftCutY "soft_cut_y" (control::soft_cut_y) Quiet 0 [Ya];
        /// Resume point of a frame [E, B0, X…] that was made at the place of the label: restores these and goes there. E is live there if
        /// `WITH_FRAME` is set.
        ComeBack "come_back" (control::come_back) Quiet 0 [WayBack, Registers];
        /// Behind the copy of an instruction that is run alone: ends that.
        Alone "alone" (alone) Quiet 0 [];

        // --- clause selection: entry code and chains ---
        /// Push a choicepoint for `a` arguments, run the clause; the next chain instruction follows.
        Try "try" (select::try_) Quiet 0 [Count, Code];
        /// Run the clause, keep the choicepoint.
        Retry "retry" (select::retry) Quiet 0 [Count, Code];
        /// Drop the choicepoint, run the clause.
        Trust "trust" (select::trust) Quiet 0 [Count, Code];
        /// Run the clause from there, without a choicepoint.
        Clause "clause" (select::clause) Quiet 0 [Code];
        /// Select by the first of `a` arguments.
        Switch "switch" (select::switch) Quiet 0 [Count, Table];
        /// Select by Xb and Xc (or others: [`ANY`](crate::instr::ANY)) among the clauses of the chain that follows, of `a` arguments; the word behind it is the `SelectNext`.
        Select "select" (select::select) Quiet 0 [Count, Xb, Xc, Masks];
        /// Next clause of a `Select`; in a choicepoint, whose last argument says which are left.
        SelectNext "select_next" (select::select_next) Quiet 0 [Count];
        /// Walk the clauses of the chain that follows, of `a` arguments, by the key of the first one; the word behind it is the `KeyedNext`.
        Keyed "keyed" (select::keyed) Quiet 0 [Count, Keys];
        /// Next clause of a `Keyed`; in a choicepoint, whose last argument says which it is.
        KeyedNext "keyed_next" (select::keyed_next) Quiet 0 [Count];
        /// Look for an index of the predicate that helps, else go on.
        Pick "pick" (select::pick) Quiet 0 [Predicate];
        /// Entry of a static predicate whose index has to be built.
        Link "link" (select::link) Quiet 0 [Predicate];
        /// Entry of a dynamic predicate.
        Dynamic "dynamic" (select::dynamic) Quiet 0 [Predicate];
        /// Next clause of a dynamic predicate; in a choicepoint. `a`: not only the first argument tells clauses apart.
        DynamicNext "dynamic_next" (select::dynamic_next) Quiet 0 [Count];
        /// Entry of a deterministic predicate: what it comes to is looked at, by the choicepoint and the frame of [`Self::Guard`]. Its entry follows.
        Det "det" (select::det) Quiet 0 [Predicate];
        /// Entry of an undefined predicate.
        Undefined "undefined" (select::undefined) Quiet 0 [Predicate];
        /// Entry of a program's meta-predicate, which tells its arguments their module.
        Meta "meta" (select::meta) Quiet 0 [Predicate];
        /// Entry of a deterministic builtin of `a` arguments.
        Builtin "builtin" (control::builtin) Binds 0 [Count, Predicate];
        /// Entry of a nondeterministic builtin of `a` arguments.
        Nondet "nondet" (control::nondet) Binds 0 [Count, Predicate];
        /// Next solution of a nondeterministic builtin of `a` arguments; in a choicepoint.
        NondetNext "nondet_next" (control::nondet_next) Binds 0 [Count, Predicate];
        /// Entry of a control predicate: number `a` of the machine's table.
        Control "control" (control::control) Quiet 0 [Count, Predicate];
        /// Entry of a tabled predicate.
        Tabled "tabled" (control::tabled) Quiet 0 [Predicate];
        /// Resume point or alternative inside the machine: number `a` of its table.
        Internal "internal" (control::internal) Quiet 0 [Count];

        // --- head and unification ---
        /// Xa = constant.
        GetConst "get_const" (unify::get_const) Binds 0 [Xa, Constant];
        /// Xa = structure with this functor; S at its arguments, or go to the label if Xa is unbound.
        GetStruct "get_struct" (unify::get_struct) Quiet 0 [Xa, Label, Functor];
        /// Xa = list cell; S at its head, or go to the label.
        GetList "get_list" (unify::get_list) Quiet 0 [Xa, Label];
        /// Xa = [Xb|Xc] with both new, in either mode.
        GetListVars "get_list_vars" (unify::get_list_vars) Binds 2 [Xa, Xb, Xc];
        /// Xa = [Xb|Xc] with Xb known and Xc new, in either mode.
        GetListValueVar "get_list_value_var" (unify::get_list_value_var) Binds 2 [Xa, Xb, Xc];
        /// Unify Xa and Xb.
        GetValue "get_value" (unify::get_value) Binds 0 [Xa, Xb];
        /// Unify Xa and slot b.
        GetValueY "get_value_y" (unify::get_value_y) Binds 0 [Xa, Yb];
        /// Xa := S[b].
        UnifyVar "unify_var" (unify::unify_var) Quiet 0 [Xa, ArgumentB];
        /// S[b] = Xa.
        UnifyValue "unify_value" (unify::unify_value) Binds 0 [Xa, ArgumentB];
        /// S[b] = slot a.
        UnifyValueY "unify_value_y" (unify::unify_value_y) Binds 0 [Ya, ArgumentB];
        /// S[b] = constant.
        UnifyConst "unify_const" (unify::unify_const) Binds 0 [ArgumentB, Constant];
        /// Bind the unbound Xa to a structure built at H, push its functor.
        BindStruct "bind_struct" (unify::bind_struct) Binds 1 [Xa, Functor];
        /// Bind the unbound Xa to a list cell built at H.
        BindList "bind_list" (unify::bind_list) Binds 0 [Xa];

        // --- building at H ---
        /// Xa := structure at H; push its functor.
        PutStruct "put_struct" (build::put_struct) Quiet 1 [Xa, Functor];
        /// Xa := list cell at H.
        PutList "put_list" (build::put_list) Quiet 0 [Xa];
        /// Push Xa.
        PushX "push_x" (build::push_x) Quiet 1 [Xa];
        /// Push slot a.
        PushY "push_y" (build::push_y) Quiet 1 [Ya];
        /// Push a constant.
        PushConst "push_const" (build::push_const) Quiet 1 [Constant];
        /// Push a new variable, also in Xa.
        PushVar "push_var" (build::push_var) Quiet 1 [Xa];
        /// Push `a` new variables.
        PushVoid "push_void" (build::push_void) Quiet 0 [Pushed];
        /// Push a functor header.
        PushFunctor "push_functor" (build::push_const) Quiet 1 [Functor];
        /// Push a pointer with tag `a` to a cell ahead of this one.
        PushPointer "push_pointer" (build::push_pointer) Quiet 1 [Pointer];
        /// Xa := new variable.
        PutVar "put_var" (build::push_var) Quiet 1 [Xa];
        /// Xa := constant.
        PutConst "put_const" (build::put_const) Quiet 0 [Xa, Constant];
        /// Xa := copy of the record.
        PutRecord "put_record" (build::put_record) Quiet 0 [Xa, Record];
        /// Xa := the meta-argument Xb, of this module if it names none.
        Qualify "qualify" (build::qualify) Quiet 0 [Xa, Xb, Constant];
        /// Xa := Xb.
        Move "move" (build::move_) Quiet 0 [Xa, Xb];
        /// Xa := slot b.
        Load "load" (build::load) Quiet 0 [Xa, Yb];

        // --- inline tests; go to the label if they fail ---
        /// Xa is unbound.
        TestVar "test_var" (test::type_test::<{ Op::TestVar as u8 }>) Quiet 0 [Xa, Label];
        TestNonvar "test_nonvar" (test::type_test::<{ Op::TestNonvar as u8 }>) Quiet 0 [Xa, Label];
        TestAtom "test_atom" (test::type_test::<{ Op::TestAtom as u8 }>) Quiet 0 [Xa, Label];
        TestInteger "test_integer" (test::type_test::<{ Op::TestInteger as u8 }>) Quiet 0 [Xa, Label];
        TestFloat "test_float" (test::type_test::<{ Op::TestFloat as u8 }>) Quiet 0 [Xa, Label];
        TestNumber "test_number" (test::type_test::<{ Op::TestNumber as u8 }>) Quiet 0 [Xa, Label];
        TestAtomic "test_atomic" (test::type_test::<{ Op::TestAtomic as u8 }>) Quiet 0 [Xa, Label];
        TestCompound "test_compound" (test::type_test::<{ Op::TestCompound as u8 }>) Quiet 0 [Xa, Label];
        TestCallable "test_callable" (test::type_test::<{ Op::TestCallable as u8 }>) Quiet 0 [Xa, Label];
        TestString "test_string" (test::type_test::<{ Op::TestString as u8 }>) Quiet 0 [Xa, Label];
        /// Xa is the constant.
        MatchConst "match_const" (test::match_const) Quiet 0 [Xa, Label, Constant];
        /// Xa is a structure with this functor; S at its arguments.
        MatchStruct "match_struct" (test::match_struct) Quiet 0 [Xa, Label, Functor];
        /// Xa is a list cell; S at its head.
        MatchList "match_list" (test::match_list) Quiet 0 [Xa, Label];
        /// Xa is the list cell [Xb|Xc], both new.
        MatchListVars "match_list_vars" (test::match_list_vars) Quiet 0 [Xa, Xb, Xc, LabelWord];
        /// Xa == Xb.
        TestIdentical "test_identical" (test::identical::<true>) Quiet 0 [Xa, Xb, LabelWord];
        /// Xa \== Xb.
        TestNotIdentical "test_not_identical" (test::identical::<false>) Quiet 0 [Xa, Xb, LabelWord];
        /// Xa \= Xb: it binds, and undoes that.
        TestNotUnifiable "test_not_unifiable" (test::not_unifiable) Quiet 0 [Xa, Xb, LabelWord];

        // --- arithmetic ---
        /// Xa := value of the expression in Xa.
        Evaluate "evaluate" (arith::evaluate) Quiet 0 [Xa];
        /// Xa := Xb + Xc; operands of all of these are numbers.
        Add "add" (arith::binary::<{ Op::Add as u8 }>) Quiet 0 [Xa, Xb, Xc];
        Sub "sub" (arith::binary::<{ Op::Sub as u8 }>) Quiet 0 [Xa, Xb, Xc];
        Mul "mul" (arith::binary::<{ Op::Mul as u8 }>) Quiet 0 [Xa, Xb, Xc];
        /// Xa := Xb + the signed 16-bit number c.
        AddImm "add_imm" (arith::add_imm) Quiet 0 [Xa, Xb, ImmediateC];
        IntDiv "int_div" (arith::binary::<{ Op::IntDiv as u8 }>) Quiet 0 [Xa, Xb, Xc];
        Mod "mod" (arith::binary::<{ Op::Mod as u8 }>) Quiet 0 [Xa, Xb, Xc];
        Rem "rem" (arith::binary::<{ Op::Rem as u8 }>) Quiet 0 [Xa, Xb, Xc];
        BitAnd "bit_and" (arith::binary::<{ Op::BitAnd as u8 }>) Quiet 0 [Xa, Xb, Xc];
        BitOr "bit_or" (arith::binary::<{ Op::BitOr as u8 }>) Quiet 0 [Xa, Xb, Xc];
        Shl "shl" (arith::binary::<{ Op::Shl as u8 }>) Quiet 0 [Xa, Xb, Xc];
        Shr "shr" (arith::binary::<{ Op::Shr as u8 }>) Quiet 0 [Xa, Xb, Xc];
        Min "min" (arith::binary::<{ Op::Min as u8 }>) Quiet 0 [Xa, Xb, Xc];
        Max "max" (arith::binary::<{ Op::Max as u8 }>) Quiet 0 [Xa, Xb, Xc];
        Neg "neg" (arith::neg) Quiet 0 [Xa, Xb];
        /// Xa := function applied to Xb.
        Function1 "function1" (arith::function1) Quiet 0 [Xa, Xb, Function];
        /// Xa := function applied to Xb and Xc.
        Function2 "function2" (arith::function2) Quiet 0 [Xa, Xb, Xc, Function];
        /// Compare the values of Xa and Xb.
        CmpEq "cmp_eq" (arith::compare::<{ Op::CmpEq as u8 }>) Quiet 0 [Xa, Xb, LabelWord];
        CmpNe "cmp_ne" (arith::compare::<{ Op::CmpNe as u8 }>) Quiet 0 [Xa, Xb, LabelWord];
        CmpLt "cmp_lt" (arith::compare::<{ Op::CmpLt as u8 }>) Quiet 0 [Xa, Xb, LabelWord];
        CmpLe "cmp_le" (arith::compare::<{ Op::CmpLe as u8 }>) Quiet 0 [Xa, Xb, LabelWord];
        CmpGt "cmp_gt" (arith::compare::<{ Op::CmpGt as u8 }>) Quiet 0 [Xa, Xb, LabelWord];
        CmpGe "cmp_ge" (arith::compare::<{ Op::CmpGe as u8 }>) Quiet 0 [Xa, Xb, LabelWord];

        // --- builtins in place ---
        /// Call the pure deterministic builtin on the `a` registers from Xb.
        Inline "inline" (control::inline) Binds 0 [Count, Xb, Predicate];
        /// Xa := argument Xb of Xc; else a new variable, with which the predicate is called. Comes back behind it, where a place is unless the
        /// clause ends there.
        Arg "arg" (control::arg) Quiet 0 [Xa, Xb, Xc, Predicate];
        }
    };
}
