//! Beats as bits on a wire: from the top, kind (2), stop, last payload .. first payload.

use crate::{Beat, Kind, Shape, Word};
use samhw_values::mask;

impl Shape {
    /// Returns the number of 64-bit words of a packed beat.
    pub fn words(&self) -> usize {
        self.width().div_ceil(64) as usize
    }
    /// Packs `beat` into `words`, least significant word first; it truncates payloads to their fields.
    pub fn pack(&self, beat: &Beat, words: &mut [u64]) {
        words.fill(0);
        let mut at = 0;
        let mut put = |width: u32, value: u64| {
            let value = value & mask(width);
            let (w, lo) = ((at / 64) as usize, at % 64);
            words[w] |= value << lo;
            if lo + width > 64 {
                words[w + 1] |= value >> (64 - lo);
            }
            at += width;
        };
        let mut payload = |width: u32, p: u64| {
            if width <= 64 {
                return put(width, p);
            }
            let parts = (0..width).step_by(64).zip(Word::held(p, width).0);
            parts.for_each(|(at, w)| put((width - at).min(64), w));
        };
        match self {
            Self::Plain { fields } => fields.iter().zip(beat.p).for_each(|(f, p)| payload(f.width, p)),
            Self::Stream { stop_w, fields } => {
                fields.iter().zip(beat.p).for_each(|(f, p)| payload(f.width, p));
                put(*stop_w, u64::from(beat.stop));
                put(2, beat.kind as u64);
            }
            Self::Config { width } | Self::Status { width, .. } | Self::Open { width } => put(*width, beat.p[0]),
        }
    }
    /// Unpacks a beat that [`Self::pack`] packed.
    pub fn unpack(&self, words: &[u64]) -> Beat {
        let mut at = 0;
        let mut get = |width: u32| {
            let (w, lo) = ((at / 64) as usize, at % 64);
            at += width;
            let high = if lo + width > 64 { words[w + 1] << (64 - lo) } else { 0 };
            (words[w] >> lo | high) & mask(width)
        };
        let mut beat = Beat::default();
        let mut payload = |width: u32, p: &mut u64| {
            if width <= 64 {
                *p = get(width);
                return;
            }
            let parts: Vec<u64> = (0..width).step_by(64).map(|at| get((width - at).min(64))).collect();
            *p = Word::from_parts(&parts).payload(width);
        };
        match self {
            Self::Plain { fields } => fields.iter().zip(&mut beat.p).for_each(|(f, p)| payload(f.width, p)),
            Self::Stream { stop_w, fields } => {
                fields.iter().zip(&mut beat.p).for_each(|(f, p)| payload(f.width, p));
                beat.stop = get(*stop_w) as u8;
                beat.kind = [Kind::Data, Kind::Empty, Kind::Nil, Kind::Done][get(2) as usize];
            }
            Self::Config { width } | Self::Status { width, .. } | Self::Open { width } => beat.p[0] = get(*width),
        }
        beat
    }
}

#[cfg(test)]
mod tests {
    use crate::{Beat, Field, Kind, Shape, Word};
    use samhw_values::{Rng, mask};

    #[test]
    fn packs_kind_on_top_and_first_payload_at_the_bottom() {
        let s = Shape::Stream { stop_w: 3, fields: vec![Field::new("crd", 8), Field::new("ref", 16)] };
        let mut w = [0];
        s.pack(&Beat::new(Kind::Nil, 5, [0xAB, 0xC0DE]), &mut w);
        assert_eq!(w[0], 0b10_101 << 24 | 0xC0DE << 8 | 0xAB);
    }

    #[test]
    fn unpack_inverts_pack_at_every_width() {
        let mut rng = Rng::new(1);
        for (a, b) in [(1, 64), (64, 64), (63, 2), (31, 33), (64, 1), (7, 60), (128, 20), (256, 33), (9, 256), (65, 64)]
        {
            let s = Shape::Stream { stop_w: 3, fields: vec![Field::new("a", a), Field::new("b", b)] };
            let mut w = vec![0; s.words()];
            for _ in 0..50 {
                let p = [rng.bits() & mask(a), rng.bits() & mask(b)];
                let (wide, bits) = if a > 64 { (0, a) } else { (1, b) };
                let mut word = Word([p[wide], rng.bits(), rng.bits(), rng.bits()]);
                (1..4).for_each(|k| word.0[k] &= mask(bits.saturating_sub(64 * k as u32)));
                let mut beat = Beat::new(Kind::Empty, rng.below(8) as u8, p);
                beat.p[wide] = word.payload(bits);
                s.pack(&beat, &mut w);
                assert_eq!(s.unpack(&w), beat);
            }
        }
    }
}
