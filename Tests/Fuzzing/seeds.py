#!/usr/bin/env python3
"""Writes small archives as seeds for fuzzing: one for each class that the codec knows, and some plain property lists."""
import datetime
import pathlib
import plistlib
import sys

UID = plistlib.UID


def archive(objects, root=1):
    return {"$version": 100000, "$archiver": "NSKeyedArchiver", "$top": {"root": UID(root)},
            "$objects": ["$null"] + objects}


def of_class(name, **keys):
    """Returns the archive of an object of a class; its keys may refer to the text at UID 3."""
    return archive([dict(keys, **{"$class": UID(2)}), {"$classname": name, "$classes": [name, "NSObject"]}, "text", 7, 1.5])


def seeds():
    yield {"a": [1, True, 1.5, "text", "Grüße 🥦", b"data", datetime.datetime(2026, 11, 21), UID(3)]}
    yield [[], {}, -1, 2**63, 2**40, "x" * 300]
    for name in ("NSArray", "NSMutableArray", "NSSet", "NSMutableSet"):
        yield of_class(name, **{"NS.objects": [UID(3), UID(4)]})
        yield of_class(name, **{"NS.object.0": UID(3), "NS.object.1": UID(4)})
    for name in ("NSDictionary", "NSMutableDictionary"):
        yield of_class(name, **{"NS.keys": [UID(3)], "NS.objects": [UID(4)]})
    for name in ("NSOrderedSet", "NSMutableOrderedSet"):
        yield of_class(name, **{"NS.object.0": UID(3)})
    yield of_class("NSCountedSet", **{"NS.count": 1, "NS.object0": UID(3), "NS.count0": 3})
    yield of_class("NSMutableString", **{"NS.string": "Grüße"})
    yield of_class("NSMutableData", **{"NS.data": b"data"})
    yield of_class("NSDate", **{"NS.time": 800000000.5})
    yield of_class("NSUUID", **{"NS.uuidbytes": bytes(range(16))})
    yield of_class("NSURL", **{"NS.base": UID(0), "NS.relative": UID(3)})
    yield of_class("NSNull")
    yield of_class("NSIndexSet", **{"NSRangeCount": 1, "NSLocation": 3, "NSLength": 4})
    yield of_class("NSMutableIndexSet", **{"NSRangeCount": 2, "NSRangeData": UID(3)})
    yield of_class("NSValue", **{"NS.special": 1, "NS.pointval": UID(3)})
    yield of_class("NSValue", **{"NS.special": 4, "NS.rangeval.location": UID(4), "NS.rangeval.length": UID(4)})
    yield of_class("NSDecimalNumber", **{
        "NS.exponent": 2, "NS.length": 1, "NS.negative": False, "NS.compact": True, "NS.mantissa.bo": 1,
        "NS.mantissa": bytes([125] + [0] * 15)})
    yield of_class("Unknown", **{"plain": 5, "object": UID(3)})
    yield archive([
        {"title": UID(3), "answers": UID(4), "date": UID(6), "score": 3.5, "$class": UID(2)},
        {"$classname": "QuizData", "$classes": ["QuizData", "NSObject"]}, "Nutrition",
        {"NS.objects": [UID(8)], "$class": UID(5)}, {"$classname": "NSArray", "$classes": ["NSArray", "NSObject"]},
        {"NS.time": 1.0, "$class": UID(7)}, {"$classname": "NSDate", "$classes": ["NSDate", "NSObject"]}, 1])


folder = pathlib.Path(sys.argv[1])
for number, seed in enumerate(seeds()):
    (folder / f"seed-{number:02}").write_bytes(plistlib.dumps(seed, fmt=plistlib.FMT_BINARY))
