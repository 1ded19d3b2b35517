//! Which instructions are fused ([`crate::fuse`]): one row each, from which their numbers are made ([`crate::instr`]), the table of what becomes of which, and in
//! the machine the handlers.

/// Calls a macro with all rows: name, what comes first (an instruction, or a row above), what comes next. The machine has a type of the name of each that is a first or a next one.
#[macro_export]
macro_rules! fusions {
    ($rows:ident) => {
        $rows! {
        MoveMove [Move, Move];
        MoveMoveMove [MoveMove, Move];
        MoveExecute [Move, Execute];
        MoveMoveExecute [MoveMove, Execute];
        MoveMoveMoveExecute [MoveMoveMove, Execute];
        MoveLoad [Move, Load];
        MoveLoadExecute [MoveLoad, Execute];
        LoadMove [Load, Move];
        LoadMoveExecute [LoadMove, Execute];
        LoadLoad [Load, Load];
        LoadLoadLoad [LoadLoad, Load];
        LoadExecute [Load, Execute];
        LoadLoadExecute [LoadLoad, Execute];
        LoadLoadLoadExecute [LoadLoadLoad, Execute];
        LoadAdd [Load, Add];
        LoadLoadAdd [LoadLoad, Add];
        LoadAddImm [Load, AddImm];
        LoadGetValue [Load, GetValue];
        LoadGetValueProceed [LoadGetValue, Proceed];
        PutConstExecute [PutConst, Execute];
        PutConstAdd [PutConst, Add];
        PutConstSub [PutConst, Sub];
        PutConstMul [PutConst, Mul];
        PutConstIntDiv [PutConst, IntDiv];
        PutConstMod [PutConst, Mod];
        PutConstCmpEq [PutConst, CmpEq];
        PutConstCmpNe [PutConst, CmpNe];
        PutConstCmpLt [PutConst, CmpLt];
        PutConstCmpLe [PutConst, CmpLe];
        PutConstCmpGt [PutConst, CmpGt];
        PutConstCmpGe [PutConst, CmpGe];
        AddImmMove [AddImm, Move];
        AddImmMoveMove [AddImmMove, Move];
        AddImmMoveExecute [AddImmMove, Execute];
        AddImmAddImm [AddImm, AddImm];
        AddMove [Add, Move];
        AddMoveExecute [AddMove, Execute];
        PutVarMakeFrame [PutVar, MakeFrame];
        PutVarMove [PutVar, Move];
        UnifyVarUnifyVar [UnifyVar, UnifyVar];
        UnifyVarUnifyVarUnifyVar [UnifyVarUnifyVar, UnifyVar];
        UnifyVarExecute [UnifyVar, Execute];
        GetListUnifyVar [GetList, UnifyVar];
        GetListUnifyVarUnifyVar [GetListUnifyVar, UnifyVar];
        GetStructUnifyVar [GetStruct, UnifyVar];
        GetStructUnifyVarUnifyVar [GetStructUnifyVar, UnifyVar];
        PushXPushX [PushX, PushX];
        PutListPushX [PutList, PushX];
        PutListPushXPushX [PutListPushX, PushX];
        GetValueProceed [GetValue, Proceed];
        GetConstProceed [GetConst, Proceed];
        }
    };
}
