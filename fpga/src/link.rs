//! The frames on the serial line, in the format of `samhw_device`. The protocol is described in docs/fpga.md.

/// Ends a frame.
const END: u8 = 0xC0;
const ESC: u8 = 0xDB;
const ESC_END: u8 = 0xDC;
const ESC_ESC: u8 = 0xDD;

/// A request to a board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Request {
    /// Reads up to 255 words from an address.
    Read {
        /// Whether to read registers instead of memories.
        registers: bool,
        /// Address of the first word.
        addr: u32,
        /// Number of words.
        words: u8,
    },
    /// Writes words to consecutive addresses.
    Write {
        /// Whether to write registers instead of memories.
        registers: bool,
        /// Address of the first word.
        addr: u32,
        /// The words, at most [`most_words`].
        words: Vec<u64>,
    },
}

/// A board's answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    /// Session number; 0 after a reset.
    pub session: u8,
    /// Whether a run is in progress.
    pub running: bool,
    /// Whether the request was refused, because memories belong to the kernel while it runs.
    pub refused: bool,
    /// The words that were read.
    pub words: Vec<u64>,
}

/// Returns the largest number of words in a frame to the board, which has a buffer of 512 bytes.
pub fn most_words(word_bytes: usize) -> usize {
    (511 - 11) / word_bytes
}

/// Computes the CRC-32 (IEEE 802.3).
pub fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0u32, |crc, b| {
        (0..8).fold(crc ^ u32::from(*b), |c, _| if c & 1 == 1 { (c >> 1) ^ 0xEDB8_8320 } else { c >> 1 })
    })
}

/// Encodes a request as bytes for the line.
pub fn encode(number: u8, request: &Request, word_bytes: usize) -> Vec<u8> {
    let (registers, writes, addr, count) = match request {
        Request::Read { registers, addr, words } => (*registers, false, *addr, *words),
        Request::Write { registers, addr, words } => (*registers, true, *addr, words.len() as u8),
    };
    let mut body = vec![number, u8::from(writes) | u8::from(registers) << 1, count];
    body.extend(addr.to_le_bytes());
    if let Request::Write { words, .. } = request {
        body.extend(words.iter().flat_map(|w| w.to_le_bytes().into_iter().take(word_bytes)));
    }
    body.extend(crc32(&body).to_le_bytes());
    // An end before it too: noise on the line is then a frame of its own.
    let mut out = vec![END];
    for b in body {
        match b {
            END => out.extend([ESC, ESC_END]),
            ESC => out.extend([ESC, ESC_ESC]),
            _ => out.push(b),
        }
    }
    out.push(END);
    out
}

/// A decoder that extracts frames from the bytes of a line.
#[derive(Debug, Default)]
pub struct Decoder {
    body: Vec<u8>,
    escaped: bool,
    fault: bool,
}

impl Decoder {
    /// Takes a byte; returns the body of a frame, without checksum, once it is complete and correct.
    pub fn take(&mut self, byte: u8) -> Option<Vec<u8>> {
        if byte == END {
            let done = std::mem::take(self);
            let (body, sum) = done.body.split_at_checked(done.body.len().wrapping_sub(4))?;
            let good = !done.fault && !done.escaped && sum == crc32(body).to_le_bytes();
            return good.then(|| body.to_vec());
        }
        let plain = match (self.escaped, byte) {
            (false, ESC) => {
                self.escaped = true;
                return None;
            }
            (true, ESC_END) => END,
            (true, ESC_ESC) => ESC,
            (true, _) => {
                self.fault = true;
                byte
            }
            (false, b) => b,
        };
        self.escaped = false;
        // No reply is longer; noise must not fill the memory.
        if self.body.len() < 1 << 12 {
            self.body.push(plain);
        } else {
            self.fault = true;
        }
        None
    }
}

/// Decodes the body of a frame as the reply to request `number`; `None` if it is something else.
pub fn reply(body: &[u8], number: u8, request: &Request, word_bytes: usize) -> Option<Reply> {
    let (registers, writes, want) = match request {
        Request::Read { registers, words, .. } => (*registers, false, usize::from(*words)),
        Request::Write { registers, .. } => (*registers, true, 0),
    };
    let [n, op, session, flags, data @ ..] = body else { return None };
    if *n != number || *op != 0x80 | u8::from(writes) | u8::from(registers) << 1 {
        return None;
    }
    let refused = flags & 2 != 0;
    if data.len() != if refused { 0 } else { want * word_bytes } {
        return None;
    }
    let word = |b: &[u8]| b.iter().rev().fold(0, |w, b| w << 8 | u64::from(*b));
    let words = data.chunks_exact(word_bytes).map(word).collect();
    Some(Reply { session: *session, running: flags & 1 != 0, refused, words })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_that_of_ethernet() {
        assert_eq!(crc32(b"123456789"), 0xCBF4_3926);
    }

    #[test]
    fn a_frame_comes_back_after_any_noise() {
        let request = Request::Write { registers: false, addr: 0xC0DB_0001, words: vec![0xDBC0, 7, u64::MAX] };
        let bytes = encode(0xC0, &request, 8);
        let mut d = Decoder::default();
        for noise in [&[][..], &[1, 2, 3], &[ESC], &[ESC, ESC], &[END, END], &[0; 5000]] {
            let got: Vec<Vec<u8>> = noise.iter().chain(&bytes).filter_map(|b| d.take(*b)).collect();
            assert_eq!(got.len(), 1, "after {noise:?}");
            assert_eq!(got[0].len(), 7 + 24);
            assert_eq!(got[0][0], 0xC0);
        }
    }

    #[test]
    fn no_changed_or_lost_byte_goes_unnoticed() {
        let bytes = encode(1, &Request::Read { registers: true, addr: 16, words: 3 }, 4);
        let frames = |bytes: &[u8]| {
            let mut d = Decoder::default();
            bytes.iter().filter_map(|b| d.take(*b)).count()
        };
        assert_eq!(frames(&bytes), 1);
        for k in 1..bytes.len() - 1 {
            let mut lost = bytes.clone();
            lost.remove(k);
            assert_eq!(frames(&lost), 0, "byte {k} lost");
            for bit in 0..8 {
                let mut changed = bytes.clone();
                changed[k] ^= 1 << bit;
                assert_eq!(frames(&changed), 0, "bit {bit} of byte {k}");
            }
        }
    }

    #[test]
    fn only_the_answer_to_a_request_is_its_reply() {
        let read = Request::Read { registers: false, addr: 0, words: 1 };
        let body = [5, 0x80, 9, 1, 1, 2, 3, 4];
        let good = reply(&body, 5, &read, 4).unwrap();
        assert_eq!((good.session, good.running, good.refused), (9, true, false));
        assert_eq!(good.words, [0x0403_0201]);
        assert_eq!(reply(&body, 6, &read, 4), None);
        assert_eq!(reply(&body[..7], 5, &read, 4), None);
        assert!(reply(&[5, 0x80, 9, 2], 5, &read, 4).unwrap().refused);
        let write = Request::Write { registers: false, addr: 0, words: vec![1] };
        assert_eq!(reply(&body, 5, &write, 4), None);
    }
}
