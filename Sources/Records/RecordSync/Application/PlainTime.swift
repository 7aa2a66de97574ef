import Foundation

/// A time from 1970 to the year 9999 as documents of this project have it: “2026-11-20T18:30:00.250Z”. Formatting and
/// parsing it with Foundation takes twenty times as long, which a million rows would feel.
struct PlainTime: Equatable {
    private static let secondsOfDay: Int64 = 86_400
    /// The first millisecond of the year 10000.
    private static let end: Int64 = 253_402_300_800_000
    private static let separators: [(place: Int, byte: UInt8)] = [
        (4, UInt8(ascii: "-")), (7, UInt8(ascii: "-")), (10, UInt8(ascii: "T")), (13, UInt8(ascii: ":")),
        (16, UInt8(ascii: ":")), (19, UInt8(ascii: ".")), (23, UInt8(ascii: "Z")),
    ]
    private static let length = 24

    /// The whole milliseconds since 1970.
    let milliseconds: Int64

    /// - Returns: Nil for a time outside of those years.
    init?(milliseconds: Int64) {
        guard (0..<Self.end).contains(milliseconds) else { return nil }
        self.milliseconds = milliseconds
    }

    /// - Returns: Nil for a text of another form, and for a time that no calendar has.
    init?(_ text: String) {
        var text = text
        let milliseconds = text.withUTF8 { bytes -> Int64? in
            guard bytes.count == Self.length, Self.separators.allSatisfy({ bytes[$0.place] == $0.byte }) else {
                return nil
            }
            func number(_ places: Range<Int>) -> Int64? {
                var value: Int64 = 0
                for byte in bytes[places] {
                    guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
                    value = value * 10 + Int64(byte - UInt8(ascii: "0"))
                }
                return value
            }
            guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
                let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19),
                let thousandth = number(20..<23), year >= 1970, (1...12).contains(month), day >= 1,
                day <= Self.days(inMonth: month, of: year), hour < 24, minute < 60, second < 60
            else { return nil }
            let days = Self.days(year, month, day)
            return (((days * 24 + hour) * 60 + minute) * 60 + second) * 1_000 + thousandth
        }
        guard let milliseconds else { return nil }
        self.milliseconds = milliseconds
    }

    /// The time, to the bit the one that Foundation parses.
    var date: Date {
        let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1_000)
        let sinceReference = Double(seconds) - Date.timeIntervalBetween1970AndReferenceDate
        return Date(timeIntervalSinceReferenceDate: sinceReference + Double(rest) / 1_000)
    }

    var text: String {
        let (seconds, thousandth) = milliseconds.quotientAndRemainder(dividingBy: 1_000)
        let (days, second) = seconds.quotientAndRemainder(dividingBy: Self.secondsOfDay)
        let (year, month, day) = Self.calendarDay(days)
        return String(unsafeUninitializedCapacity: Self.length) { bytes in
            func write(_ value: Int64, _ places: Range<Int>) {
                var value = value
                for place in places.reversed() {
                    bytes[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value % 10)
                    value /= 10
                }
            }
            for separator in Self.separators { bytes[separator.place] = separator.byte }
            write(year, 0..<4)
            write(month, 5..<7)
            write(day, 8..<10)
            write(second / 3_600, 11..<13)
            write(second / 60 % 60, 14..<16)
            write(second % 60, 17..<19)
            write(thousandth, 20..<23)
            return Self.length
        }
    }

    // MARK: - The calendar

    // Years are counted from March, so that the leap day is the last one; 400 years have 146,097 days.

    private static let daysOfEra: Int64 = 146_097
    /// The days from the first of March of the year 0 to 1970.
    private static let daysBefore1970: Int64 = 719_468

    private static func isLeap(_ year: Int64) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

    private static func days(inMonth month: Int64, of year: Int64) -> Int64 {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Returns the days since 1970.
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let (year, month) = month > 2 ? (year, month - 3) : (year - 1, month + 9)
        let dayOfYear = (153 * month + 2) / 5 + day - 1
        return year * 365 + year / 4 - year / 100 + year / 400 + dayOfYear - daysBefore1970
    }

    private static func calendarDay(_ daysSince1970: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let days = daysSince1970 + daysBefore1970
        let (era, dayOfEra) = days.quotientAndRemainder(dividingBy: daysOfEra)
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * month + 2) / 5 + 1
        let year = era * 400 + yearOfEra + (month < 10 ? 0 : 1)
        return (year, month < 10 ? month + 3 : month - 9, day)
    }
}
