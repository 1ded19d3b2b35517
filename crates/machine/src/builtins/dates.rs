//! Time stamps, broken-down dates and their text: what `library/system/dates.pl` says of stamps and dates, for numbers of usual size. For others, and for what is an error, the
//! predicates of stamps here fail, and the library goes on with integers of any size. A text is made here or not at all: of what is not usual it is a representation_error(int).
//!
//! Days are counted from 1970-01-01 in the proleptic Gregorian calendar. Years are counted from March here, so that the day of a leap year is the last one; in 400 years there are
//! 146097 days.

use super::text::{make, text, text_or_list};
use super::{Entry, det};
use crate::engine::ctx::Ctx;
use crate::engine::worker::Args;
use crate::error::{Res, Throw};
use samite_term::{Atom, Cell, Functor, Number, View, atoms};
use samite_world::clock;
use std::fmt::Write;

pub const TABLE: &[Entry] = &[
    // '$stamp_date'(+Stamp, +Zone, -Date)
    det("$stamp_date", 3, stamp_date),
    // '$date_stamp'(?Date, -Stamp): an unbound offset is found, with what is unbound of the zone.
    det("$date_stamp", 2, date_stamp),
    // '$time_text'(+Format, +Stamp, +Date, -String)
    det("$time_text", 4, time_text),
];

/// Larger numbers of seconds, and of anything else, are not usual: sums and products of smaller ones with those below fit, and seconds are floats.
const MOST: i64 = 1 << 46;
const DAY: i64 = 86_400;

/// A day of the calendar.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Day {
    year: i64,
    month: i64,
    day: i64,
}

impl Day {
    fn of(days: i64) -> Day {
        let z = days + 719_468;
        let (era, day_of_era) = (z.div_euclid(146_097), z.rem_euclid(146_097));
        let year_of_era =
            (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let march = (5 * day_of_year + 2) / 153;
        Day {
            year: year_of_era + era * 400 + (12 - ((march + 2) % 12 + 1)) / 10,
            month: (march + 2) % 12 + 1,
            day: day_of_year - (153 * march + 2) / 5 + 1,
        }
    }
    /// Its number. The month may be outside of 1..12, the day outside of the month.
    fn number(self) -> i64 {
        let month = (self.month - 1).rem_euclid(12) + 1;
        let year = self.year + (self.month - 1).div_euclid(12) - (14 - month) / 12;
        let (era, year_of_era) = (year.div_euclid(400), year.rem_euclid(400));
        let march = (month + 9) % 12;
        let day_of_year = (153 * march + 2) / 5 + self.day - 1;
        era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year
            - 719_468
    }
    fn first_of(year: i64) -> i64 {
        Day {
            year,
            month: 1,
            day: 1,
        }
        .number()
    }
}

/// From 1 for Monday.
fn week_day(days: i64) -> i64 {
    (days + 3).rem_euclid(7) + 1
}

/// A usual integer.
fn usual(c: Cell) -> Option<i64> {
    (c.is_small() && c.small_value().abs() <= MOST).then(|| c.small_value())
}

fn summer(zone: &clock::Zone) -> Cell {
    Cell::atom(match zone.summer {
        true => atoms::TRUE,
        false => atoms::FALSE,
    })
}

/// A name of a time zone.
fn name(m: &Ctx, zone: &clock::Zone) -> Result<Cell, Throw> {
    Ok(Cell::atom(m.atom_of_text(&zone.name)?))
}

fn stamp_date(m: &mut Ctx, a: Args) -> Res {
    let (whole, fraction) = match m.view(a, 0).number() {
        Some(Number::Int(i)) if i.abs() <= MOST => (i, 0.0),
        Some(Number::Float(f)) if f.abs() <= MOST as f64 => (f.floor() as i64, f - f.floor()),
        _ => return Ok(false),
    };
    let none = Cell::atom(atoms::MINUS);
    let zone = m.arg(a, 1);
    let (offset, name, summer) = match m.term(zone).as_atom() {
        Some(atom) if atom.as_str() == "local" => match clock::zone(whole) {
            Some(zone) => (zone.offset, name(m, &zone)?, summer(&zone)),
            None => return Ok(false),
        },
        Some(atom) if atom.as_str() == "UTC" => (0, zone, none),
        _ => match usual(zone) {
            Some(offset) => (offset, none, none),
            None => return Ok(false),
        },
    };
    let local = whole - offset;
    let (day, rest) = (Day::of(local.div_euclid(DAY)), local.rem_euclid(DAY));
    let seconds = m.heap.float((rest % 60) as f64 + fraction)?;
    let date = m.heap.structure(
        Functor::new(Atom::new("date"), 9),
        &[
            Cell::small(day.year),
            Cell::small(day.month),
            Cell::small(day.day),
            Cell::small(rest / 3600),
            Cell::small(rest % 3600 / 60),
            seconds,
            Cell::small(offset),
            name,
            summer,
        ],
    )?;
    Ok(m.unify_arg(a, 2, date))
}

/// The arguments of a date that has a time.
fn parts(m: &Ctx, date: Cell) -> Option<[Cell; 9]> {
    match m.term(date).view() {
        View::Compound(c) if c.functor() == Functor::new(Atom::new("date"), 9) => {
            Some(std::array::from_fn(|i| c.arg(i).deref()))
        }
        _ => None,
    }
}

fn date_stamp(m: &mut Ctx, a: Args) -> Res {
    let Some(parts) = parts(m, m.arg(a, 0)) else {
        return Ok(false);
    };
    let [year, month, day, hour, minute, _, offset, zone, dst] = parts;
    let [Some(year), Some(month), Some(day), Some(hour), Some(minute)] =
        [year, month, day, hour, minute].map(usual)
    else {
        return Ok(false);
    };
    // (So that days are a usual number, too.)
    if year.abs().max(month.abs()).max(day.abs()) > MOST / (2 * DAY) / 367 {
        return Ok(false);
    }
    let whole = Day { year, month, day }.number() * DAY + hour * 3600 + minute * 60;
    let (local, floor) = match m.term(parts[5]).number() {
        Some(Number::Int(s)) if s.abs() <= MOST => ((whole + s) as f64, whole + s),
        Some(Number::Float(s)) if s.abs() <= MOST as f64 => {
            let local = whole as f64 + s;
            (local, local.floor() as i64)
        }
        _ => return Ok(false),
    };
    let mut found = true;
    let offset = if offset.is_ref() {
        let Some(guess) = clock::zone(floor) else {
            return Ok(false);
        };
        let Some(better) = clock::zone(floor + guess.offset) else {
            return Ok(false);
        };
        let name = name(m, &better)?;
        found = m.unify(offset, Cell::small(better.offset))
            && (!zone.is_ref() || m.unify(zone, name))
            && (!m.deref(dst).is_ref() || m.unify(dst, summer(&better)));
        better.offset
    } else if let Some(offset) = usual(offset) {
        offset
    } else {
        return Ok(false);
    };
    let stamp = m.heap.float(local + offset as f64)?;
    Ok(found && m.unify_arg(a, 1, stamp))
}

const DAYS: [&str; 7] = [
    "Monday",
    "Tuesday",
    "Wednesday",
    "Thursday",
    "Friday",
    "Saturday",
    "Sunday",
];
const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// What is written of a moment.
struct Moment {
    stamp: Number,
    days: i64,
    day: Day,
    hour: i64,
    minute: i64,
    second: Number,
    /// East of Greenwich, in seconds.
    east: i64,
    zone: Cell,
}

/// Why there is no text.
enum Wrong {
    /// No directive.
    Directive(String),
    Domain(&'static str, i64),
    /// The name of a zone that is none.
    Zone,
}

impl Moment {
    fn of(m: &mut Ctx, stamp: Cell, date: Cell) -> Result<Moment, Throw> {
        let parts = parts(m, date);
        let numbers = parts.map(|p| p.map(usual));
        let (
            Some(parts),
            Some(
                [
                    Some(year),
                    Some(month),
                    Some(day),
                    Some(hour),
                    Some(minute),
                    _,
                    Some(offset),
                    ..,
                ],
            ),
        ) = (parts, numbers)
        else {
            return Err(m.representation_error("int"));
        };
        let (Some(stamp), Some(second)) = (m.term(stamp).number(), m.term(parts[5]).number())
        else {
            return Err(m.type_error("time", date));
        };
        // Month and day are those of the date that is meant; hours and what is below are left as they are.
        let days = Day { year, month, day }.number();
        Ok(Moment {
            stamp,
            days,
            day: Day::of(days),
            hour,
            minute,
            second,
            east: -offset,
            zone: parts[7],
        })
    }
    fn day_of_year(&self) -> i64 {
        self.days - Day::first_of(self.day.year) + 1
    }
    /// The ISO 8601 week and its year: week 1 has the first Thursday of the year, and begins on Monday.
    fn week(&self) -> (i64, i64) {
        let thursday = self.days - (self.days + 3).rem_euclid(7) + 3;
        let year = Day::of(thursday).year;
        (year, (thursday - Day::first_of(year)) / 7 + 1)
    }
    /// The week of the year where weeks begin so many days after Monday's; what is before the first is week 0.
    fn week_of_year(&self, first_day: i64) -> i64 {
        let since = (week_day(self.days) - 1 - first_day).rem_euclid(7);
        (self.day_of_year() - 1 + 7 - since) / 7
    }
    fn seconds(&self) -> f64 {
        self.second.to_f64()
    }
    fn whole_seconds(&self) -> f64 {
        self.seconds().trunc() + 0.0
    }
    /// The fraction of the second: rounded, but what is less than a second does not become one.
    fn fraction(&self, digits: u32) -> i64 {
        let one = 10f64.powi(digits as i32);
        let fraction = self.seconds() - self.seconds().trunc();
        (fraction * one).round().min(one - 1.0) as i64
    }
    /// Writes by a format.
    fn write(
        &self,
        m: &mut Ctx,
        out: &mut String,
        format: &str,
    ) -> Result<Result<(), Wrong>, Throw> {
        let mut rest = format;
        while let Some(at) = rest.find('%') {
            out.push_str(&rest[..at]);
            let directive = &rest[at + 1..];
            let first = directive.chars().next();
            let mut left = directive;
            // The modifier changes nothing.
            while left.starts_with('_') && left.len() > 1 {
                left = &left[1..];
            }
            let mut characters = left.chars();
            let (mut c, mut digits) = (characters.next(), 6);
            match (c, characters.clone().next()) {
                (Some(':'), Some('z')) => {
                    self.write_zone(out, ":");
                    rest = &left[2..];
                    continue;
                }
                (Some(d), Some('f')) if d.is_ascii_digit() => {
                    digits = d as u32 - '0' as u32;
                    c = characters.next();
                }
                _ => {}
            }
            let written = match c {
                Some('Z') => self.write_name(m, out)?,
                Some(c) => self.write_part(m, out, c, digits)?,
                None => Err(Wrong::Directive(String::new())),
            };
            match written {
                Ok(()) => {}
                Err(Wrong::Directive(_)) => {
                    let directive = first.map_or_else(String::new, String::from);
                    return Ok(Err(Wrong::Directive(format!("%{directive}"))));
                }
                Err(wrong) => return Ok(Err(wrong)),
            }
            rest = characters.as_str();
        }
        out.push_str(rest);
        Ok(Ok(()))
    }
    fn write_part(
        &self,
        m: &mut Ctx,
        out: &mut String,
        directive: char,
        digits: u32,
    ) -> Result<Result<(), Wrong>, Throw> {
        let Moment {
            day, hour, minute, ..
        } = *self;
        let week_day = week_day(self.days);
        let day_name = DAYS[week_day as usize - 1];
        let month_name = MONTHS[day.month as usize - 1];
        let of_half = (hour + 11).rem_euclid(12) + 1;
        let composed = match directive {
            'c' | '+' => "%a %b %e %H:%M:%S %Y",
            'D' | 'x' => "%m/%d/%y",
            'F' => "%Y-%m-%d",
            'r' => "%I:%M:%S %p",
            'R' => "%H:%M",
            'T' | 'X' => "%H:%M:%S",
            _ => "",
        };
        if !composed.is_empty() {
            return self.write(m, out, composed);
        }
        let mut number = |n: i64| two_digits(out, n);
        match directive {
            'd' => number(day.day),
            'H' => number(hour),
            'I' => number(of_half),
            'm' => number(day.month),
            'M' => number(minute),
            'S' => match self.whole_seconds() {
                s if s.abs() < 100.0 => number(s as i64),
                s => put(out, format_args!("{s:.0}")),
            },
            'g' => number(self.week().0.rem_euclid(100)),
            'V' => number(self.week().1),
            'U' => number(self.week_of_year(6)),
            'W' => number(self.week_of_year(0)),
            'y' => number(day.year.rem_euclid(100)),
            'C' if !(0..=9999).contains(&day.year) => {
                return Ok(Err(Wrong::Domain("%C", day.year)));
            }
            'C' => number(day.year / 100),
            'a' => out.push_str(&day_name[..3]),
            'A' => out.push_str(day_name),
            'b' | 'h' => out.push_str(&month_name[..3]),
            'B' => out.push_str(month_name),
            'e' => put(out, format_args!("{:>2}", day.day)),
            'f' => {
                let text = self.fraction(digits).to_string();
                put(out, format_args!("{text:0>0$}", digits as usize));
            }
            'G' => put(out, format_args!("{}", self.week().0)),
            'j' => put(out, format_args!("{:03}", self.day_of_year())),
            'k' => put(out, format_args!("{hour:>2}")),
            'l' => put(out, format_args!("{of_half:>2}")),
            'n' => out.push('\n'),
            'p' => out.push_str(if hour < 12 { "AM" } else { "PM" }),
            'P' => out.push_str(if hour < 12 { "am" } else { "pm" }),
            's' => match &self.stamp {
                Number::Int(i) => put(out, format_args!("{i}")),
                stamp => put(out, format_args!("{:.0}", stamp.to_f64().floor() + 0.0)),
            },
            't' => out.push('\t'),
            'u' => put(out, format_args!("{week_day}")),
            'w' => put(out, format_args!("{}", week_day % 7)),
            'Y' => put(out, format_args!("{}", day.year)),
            'z' => self.write_zone(out, ""),
            '%' => out.push('%'),
            _ => return Ok(Err(Wrong::Directive(String::new()))),
        }
        Ok(Ok(()))
    }
    fn write_zone(&self, out: &mut String, between: &str) {
        let sign = if self.east >= 0 { '+' } else { '-' };
        let minutes = self.east.abs() / 60;
        put(
            out,
            format_args!("{sign}{:02}{between}{:02}", minutes / 60, minutes % 60),
        );
    }
    fn write_name(&self, m: &mut Ctx, out: &mut String) -> Result<Result<(), Wrong>, Throw> {
        if self.zone.is_ref() || self.zone == Cell::atom(atoms::MINUS) {
            return Ok(Ok(()));
        }
        match m.term(self.zone).view() {
            View::Compound(_) | View::List(..) => return Ok(Err(Wrong::Zone)),
            _ => out.push_str(&text(m, self.zone, "atom")?),
        }
        Ok(Ok(()))
    }
}

/// (Texts that are written to take whatever there is.)
fn put(out: &mut String, what: std::fmt::Arguments) {
    let _ = out.write_fmt(what);
}

fn two_digits(out: &mut String, n: i64) {
    match n {
        0..=99 => {
            out.push((b'0' + (n / 10) as u8) as char);
            out.push((b'0' + (n % 10) as u8) as char);
        }
        _ => put(out, format_args!("{n}")),
    }
}

fn time_text(m: &mut Ctx, a: Args) -> Res {
    let format = m.arg(a, 0);
    let format = text_or_list(m, format, "text")?;
    let moment = Moment::of(m, m.arg(a, 1), m.arg(a, 2))?;
    let mut out = String::new();
    match moment.write(m, &mut out, &format)? {
        Ok(()) => {}
        Err(Wrong::Directive(directive)) => {
            let directive = m.text_atom(&directive)?;
            return Err(m.existence_error("format", directive));
        }
        Err(Wrong::Domain(directive, n)) => return Err(m.domain_error(directive, Cell::small(n))),
        Err(Wrong::Zone) => return Err(m.type_error("atom", moment.zone)),
    }
    let made = make(m, &out, super::text::Make::String)?;
    Ok(m.unify_arg(a, 3, made))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_and_their_numbers() {
        let day = |year, month, day| Day { year, month, day };
        assert_eq!(day(1970, 1, 1).number(), 0);
        assert_eq!(day(2000, 2, 29).number(), 11_016);
        assert_eq!((week_day(0), week_day(-4)), (4, 7));
        // Months and days outside of what there are.
        assert_eq!(day(2000, 13, 1).number(), day(2001, 1, 1).number());
        assert_eq!(day(2001, 0, 0).number(), day(2000, 11, 30).number());
        let mut last = Day::of(-800_001);
        for n in -800_000..800_000 {
            let next = Day::of(n);
            assert_eq!(next.number(), n);
            let follows = next == day(last.year, last.month, last.day + 1)
                || next == day(last.year, last.month + 1, 1) && last.day >= 28
                || next == day(last.year + 1, 1, 1) && (last.month, last.day) == (12, 31);
            assert!(follows, "{last:?} {next:?}");
            last = next;
        }
    }
}
