//! How numbers are punctuated: the point, and what stands between groups of digits.

use std::borrow::Cow;

/// The sizes of the groups of digits in front of the point, from the right.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Grouping {
    /// The sizes of the first ones; 0 is none.
    pub first: Vec<usize>,
    /// The size of all others; if there is none, the digits left over are one group.
    pub others: Option<usize>,
}

/// See the module text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Locale {
    pub point: Cow<'static, str>,
    pub separator: Cow<'static, str>,
    pub grouping: Grouping,
}

/// A point and no groups.
pub static PLAIN: Locale = Locale {
    point: Cow::Borrowed("."),
    separator: Cow::Borrowed(""),
    grouping: Grouping {
        first: Vec::new(),
        others: None,
    },
};

/// A point and, for thousands, commas.
pub static THOUSANDS: Locale = Locale {
    point: Cow::Borrowed("."),
    separator: Cow::Borrowed(","),
    grouping: Grouping {
        first: Vec::new(),
        others: Some(3),
    },
};

impl Locale {
    /// Punctuates the digits in front of the point.
    pub(super) fn group(&self, digits: &str, text: &mut String) {
        if self.separator.is_empty() {
            text.push_str(digits);
            return;
        }
        // Where groups begin, from the right.
        let mut starts = Vec::new();
        let mut rest = digits.len();
        let mut first = self.grouping.first.iter().copied();
        while let Some(size) = first.next().or(self.grouping.others)
            && size > 0
            && size < rest
        {
            rest -= size;
            starts.push(rest);
        }
        let mut from = 0;
        for &start in starts.iter().rev() {
            text.push_str(&digits[from..start]);
            text.push_str(&self.separator);
            from = start;
        }
        text.push_str(&digits[from..]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grouped(first: &[usize], others: Option<usize>, digits: &str) -> String {
        let mut text = String::new();
        let first = first.to_vec();
        Locale {
            grouping: Grouping { first, others },
            ..THOUSANDS.clone()
        }
        .group(digits, &mut text);
        text
    }

    #[test]
    fn groups_are_counted_from_the_right() {
        assert_eq!(grouped(&[], Some(3), "1234567"), "1,234,567");
        assert_eq!(grouped(&[], Some(3), "123456"), "123,456");
        assert_eq!(grouped(&[2, 2], None, "123456789"), "12345,67,89");
        assert_eq!(grouped(&[2, 2], Some(3), "123456789"), "12,345,67,89");
        assert_eq!(grouped(&[0], Some(3), "1234"), "1234");
        assert_eq!(grouped(&[], None, "1234"), "1234");
        assert_eq!(grouped(&[3], None, ""), "");
    }
}
