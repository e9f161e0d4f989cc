//! Checks of constants for which a function of integers or fixed point is undefined. (Floats have inf and NaN for
//! that.)

use crate::stmt::Fun;
use crate::types::Type;

/// Returns the message and the remedy for constant (raw) arguments outside of the domain of `fun` of `ty`.
pub(super) fn outside(fun: Fun, ty: Type, constants: &[Option<u64>]) -> Option<(String, String)> {
    if ty.is_float() {
        return None;
    }
    let name = fun.name();
    let known = |n: usize| constants.get(n).copied().flatten();
    let is_whole = |raw: u64| ty.value(raw) & ((1 << ty.fraction()) - 1) == 0;
    match (fun, known(0), known(1)) {
        (Fun::Pow | Fun::Ldexp | Fun::Shl | Fun::Shr, _, Some(by)) if !is_whole(by) => {
            let shown = ty.show(by);
            let help = match fun {
                Fun::Pow => format!("compute it in a real type, as `{ty}(pow(f32(..), {shown}))`, or use `sqrt`"),
                _ => "it is the number of bits to shift by".into(),
            };
            Some((format!("`{name}` of type `{ty}` takes a whole number here, not {shown}"), help))
        }
        (Fun::Shl | Fun::Shr, _, Some(by)) if ty.value(by) < 0 => {
            let other = if fun == Fun::Shl { ">>" } else { "<<" };
            let message = format!("`{name}` of type `{ty}` takes no negative number here, not {}", ty.show(by));
            Some((message, format!("shift the other way with `{other}`")))
        }
        (Fun::Div | Fun::Idiv | Fun::Mod | Fun::PyMod, _, Some(by)) | (Fun::Recip, Some(by), _)
            if ty.value(by) == 0 =>
        {
            let message = format!("`{name}` of type `{ty}` has no value for a divisor of 0");
            Some((message, "a real type, such as `f32`, has inf and NaN; or give it a value with `where`".into()))
        }
        (Fun::Sqrt, Some(of), _) if ty.value(of) < 0 => {
            let message = format!("`{name}` of type `{ty}` has no value for {}", ty.show(of));
            Some((message, "a real type, such as `f32`, has NaN; or use `abs`".into()))
        }
        _ => None,
    }
}
