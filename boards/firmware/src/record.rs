//! Records as bytes: fixed length, little endian, with a CRC-32 at the end.

use crc::{CRC_32_ISO_HDLC, Crc};
use sadcbo::gp::Hyper;
use sadcbo::{Cost, Forecast, Outcome, Phase, Point, StepRecord, SwitchFigures, VarSet};

const CRC: Crc<u32> = Crc::<u32>::new(&CRC_32_ISO_HDLC);

/// Bytes of a record of `D` design and `C` context variables.
pub const fn length(design: usize, context: usize) -> usize {
    // Step, outcome, two phases, two flags; result, two sets, cost; remaining; forecast, criterion, two variances;
    // asked, applied and length scales; ambient and relevance; forced sets, costs; checksum.
    4 + 5
        + 4 * 4
        + 8
        + 4 * (2 + 4 + 2)
        + 4 * 3 * (design + context)
        + 4 * 2 * context
        + 4 * (2 + context)
        + 4
}

/// Why bytes are not a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum NotARecord {
    /// There are too few or too many bytes.
    Length,
    /// The checksum does not fit.
    Checksum,
    /// A field has a value that it cannot have.
    Field,
}

/// Writes a record; the bytes written, or `None` if there is no room for them.
pub fn encode<'a, const D: usize, const C: usize>(
    record: &StepRecord<D, C>,
    bytes: &'a mut [u8],
) -> Option<&'a [u8]> {
    let mut out = Writer { bytes, len: 0 };
    out.put(&record.step.to_le_bytes())?;
    out.put(&[
        outcome_code(record.outcome),
        phase_code(record.phase),
        phase_code(record.next_phase),
        u8::from(record.forecast.is_some()),
        u8::from(record.switch.is_some()),
    ])?;
    out.put(&record.output.to_le_bytes())?;
    out.put(&record.selected.bits().to_le_bytes())?;
    out.put(&record.actuated.bits().to_le_bytes())?;
    out.put(&record.cost.milli().to_le_bytes())?;
    out.put(&record.remaining_milli.to_le_bytes())?;
    let forecast = record.forecast.map_or([0.0; 2], |f| [f.mean, f.std_dev]);
    out.numbers(&forecast)?;
    let figures = |s: SwitchFigures| [s.improvement, s.information, s.bound, s.threshold];
    out.numbers(&record.switch.map_or([0.0; 4], figures))?;
    out.numbers(&[record.hyper.signal_variance, record.hyper.noise_variance])?;
    for point in [&record.asked, &record.applied] {
        out.numbers(&point.design)?;
        out.numbers(&point.context)?;
    }
    out.numbers(&record.hyper.design_length_scales)?;
    out.numbers(&record.hyper.context_length_scales)?;
    out.numbers(&record.ambient)?;
    out.numbers(&record.relevance)?;
    out.put(&record.forced_in.bits().to_le_bytes())?;
    out.put(&record.forced_out.bits().to_le_bytes())?;
    for cost in record.context_costs {
        out.put(&cost.milli().to_le_bytes())?;
    }
    let checksum = CRC.checksum(out.bytes.get(..out.len)?);
    out.put(&checksum.to_le_bytes())?;
    let Writer { bytes, len } = out;
    bytes.get(..len)
}

/// Reads a record.
pub fn decode<const D: usize, const C: usize>(
    bytes: &[u8],
) -> Result<StepRecord<D, C>, NotARecord> {
    if bytes.len() != length(D, C) {
        return Err(NotARecord::Length);
    }
    let (body, checksum) = bytes.split_last_chunk::<4>().ok_or(NotARecord::Length)?;
    if CRC.checksum(body) != u32::from_le_bytes(*checksum) {
        return Err(NotARecord::Checksum);
    }
    let mut fields = Reader { bytes: body };
    let step = u32::from_le_bytes(fields.take()?);
    let [outcome, phase, next_phase, has_forecast, has_switch] = fields.take()?;
    let output = fields.number()?;
    let selected = VarSet::from_bits(u32::from_le_bytes(fields.take()?));
    let actuated = VarSet::from_bits(u32::from_le_bytes(fields.take()?));
    let cost = Cost::from_milli(u32::from_le_bytes(fields.take()?));
    let remaining_milli = i64::from_le_bytes(fields.take()?);
    let [mean, std_dev] = fields.numbers()?;
    let [improvement, information, bound, threshold] = fields.numbers()?;
    let [signal_variance, noise_variance] = fields.numbers()?;
    let asked = Point::new(fields.numbers()?, fields.numbers()?);
    let applied = Point::new(fields.numbers()?, fields.numbers()?);
    let hyper = Hyper {
        design_length_scales: fields.numbers()?,
        context_length_scales: fields.numbers()?,
        signal_variance,
        noise_variance,
    };
    let (ambient, relevance) = (fields.numbers()?, fields.numbers()?);
    let forced_in = VarSet::from_bits(u32::from_le_bytes(fields.take()?));
    let forced_out = VarSet::from_bits(u32::from_le_bytes(fields.take()?));
    let mut context_costs = [Cost::ZERO; C];
    for cost in &mut context_costs {
        *cost = Cost::from_milli(u32::from_le_bytes(fields.take()?));
    }
    Ok(StepRecord {
        step,
        outcome: outcome_of(outcome)?,
        phase: phase_of(phase)?,
        next_phase: phase_of(next_phase)?,
        ambient,
        asked,
        applied,
        output,
        selected,
        actuated,
        relevance,
        forecast: flag(has_forecast)?.then_some(Forecast { mean, std_dev }),
        cost,
        remaining_milli,
        switch: flag(has_switch)?.then_some(SwitchFigures {
            improvement,
            information,
            bound,
            threshold,
        }),
        hyper,
        forced_in,
        forced_out,
        context_costs,
    })
}

const fn outcome_code(outcome: Outcome) -> u8 {
    match outcome {
        Outcome::Observed => 0,
        Outcome::Failed => 1,
        Outcome::Rejected => 2,
        Outcome::Given => 3,
    }
}

const fn outcome_of(code: u8) -> Result<Outcome, NotARecord> {
    match code {
        0 => Ok(Outcome::Observed),
        1 => Ok(Outcome::Failed),
        2 => Ok(Outcome::Rejected),
        3 => Ok(Outcome::Given),
        _ => Err(NotARecord::Field),
    }
}

const fn phase_code(phase: Phase) -> u8 {
    match phase {
        Phase::Initial => 0,
        Phase::Observational => 1,
        Phase::Optimization => 2,
    }
}

const fn phase_of(code: u8) -> Result<Phase, NotARecord> {
    match code {
        0 => Ok(Phase::Initial),
        1 => Ok(Phase::Observational),
        2 => Ok(Phase::Optimization),
        _ => Err(NotARecord::Field),
    }
}

const fn flag(code: u8) -> Result<bool, NotARecord> {
    match code {
        0 => Ok(false),
        1 => Ok(true),
        _ => Err(NotARecord::Field),
    }
}

struct Writer<'a> {
    bytes: &'a mut [u8],
    len: usize,
}

impl Writer<'_> {
    fn put(&mut self, bytes: &[u8]) -> Option<()> {
        let end = self.len.checked_add(bytes.len())?;
        self.bytes.get_mut(self.len..end)?.copy_from_slice(bytes);
        self.len = end;
        Some(())
    }

    fn numbers(&mut self, numbers: &[f32]) -> Option<()> {
        for number in numbers {
            self.put(&number.to_le_bytes())?;
        }
        Some(())
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
}

impl Reader<'_> {
    fn take<const L: usize>(&mut self) -> Result<[u8; L], NotARecord> {
        let (taken, rest) = self
            .bytes
            .split_first_chunk::<L>()
            .ok_or(NotARecord::Length)?;
        self.bytes = rest;
        Ok(*taken)
    }

    fn number(&mut self) -> Result<f32, NotARecord> {
        self.take().map(f32::from_le_bytes)
    }

    fn numbers<const L: usize>(&mut self) -> Result<[f32; L], NotARecord> {
        let mut numbers = [0.0; L];
        for number in &mut numbers {
            *number = self.number()?;
        }
        Ok(numbers)
    }
}

#[cfg(test)]
#[allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test may fail"
)]
mod tests {
    use super::*;

    fn record() -> StepRecord<2, 3> {
        StepRecord {
            step: 7,
            outcome: Outcome::Failed,
            phase: Phase::Observational,
            next_phase: Phase::Optimization,
            ambient: [21.5, 40.0, 1013.0],
            asked: Point::new([1000.0, 60.0], [21.5, 35.0, 1013.0]),
            applied: Point::new([1001.0, 60.0], [21.6, 35.1, 1013.1]),
            output: -0.25,
            selected: VarSet::first(2),
            actuated: VarSet::EMPTY.with(1),
            relevance: [0.1, 0.8, 0.1],
            forecast: Some(Forecast {
                mean: 0.5,
                std_dev: 0.1,
            }),
            cost: Cost::from_milli(2_000),
            remaining_milli: -3,
            switch: Some(SwitchFigures {
                improvement: 1.0,
                information: 2.0,
                bound: 3.0,
                threshold: 4.0,
            }),
            hyper: Hyper::START,
            forced_in: VarSet::first(1),
            forced_out: VarSet::EMPTY.with(2),
            context_costs: [5, 6, 7].map(Cost::from_milli),
        }
    }

    #[test]
    fn a_record_comes_back_as_it_was() {
        let mut buffer = [0; length(2, 3)];
        let mut record = record();
        assert_eq!(decode(encode(&record, &mut buffer).unwrap()), Ok(record));
        (record.forecast, record.switch) = (None, None);
        assert_eq!(decode(encode(&record, &mut buffer).unwrap()), Ok(record));
    }

    #[test]
    fn every_flipped_bit_is_found() {
        let mut buffer = [0; length(2, 3)];
        encode(&record(), &mut buffer).unwrap();
        for bit in 0..8 * buffer.len() {
            buffer[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(decode::<2, 3>(&buffer), Err(NotARecord::Checksum));
            buffer[bit / 8] ^= 1 << (bit % 8);
        }
    }

    #[test]
    fn too_little_room_or_data_is_refused() {
        let mut buffer = [0; length(2, 3)];
        assert!(encode(&record(), &mut buffer[1..]).is_none());
        encode(&record(), &mut buffer).unwrap();
        assert_eq!(decode::<2, 3>(&buffer[1..]), Err(NotARecord::Length));
        assert_eq!(decode::<2, 4>(&buffer), Err(NotARecord::Length));
    }
}
