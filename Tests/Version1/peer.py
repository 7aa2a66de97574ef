"""A companion that speaks version 1 of the protocol, written from its description with the standard library alone.

    peer.py SOCKET QUIZZES FILE

Submits so many quizzes, sends a message, a user info and a context, and transfers the file; prints one line of JSON for each
answer. Ends with 0 when everything was answered.
"""

import datetime
import json
import plistlib
import socket
import struct
import sys
import uuid
import zlib

CHUNK = 131_072
AHEAD = 8
EPOCH = datetime.datetime(2001, 1, 1, tzinfo=datetime.timezone.utc)


class Object:
    """An object of a class: its fields are archived under their keys."""

    def __init__(self, name, **fields):
        self.name, self.fields = name, fields


def archive(root):
    """A keyed archive, as NSKeyedArchiver writes it."""
    objects, classes = ["$null"], {}

    def add(value):
        objects.append(value)
        return plistlib.UID(len(objects) - 1)

    def class_of(name):
        if name not in classes:
            classes[name] = add({"$classname": name, "$classes": [name, "NSObject"]})
        return classes[name]

    def encode(value):
        if isinstance(value, Object):
            place = add(None)
            body = {"$class": class_of(value.name)}
            for key, field in value.fields.items():
                # Numbers stand under their keys; everything else is an object of the archive.
                body[key] = field if isinstance(field, (bool, int, float)) else encode(field)
            objects[place.data] = body
            return place
        if isinstance(value, uuid.UUID):
            return add({"NS.uuidbytes": value.bytes, "$class": class_of("NSUUID")})
        if isinstance(value, datetime.datetime):
            return add({"NS.time": (value - EPOCH).total_seconds(), "$class": class_of("NSDate")})
        if isinstance(value, list):
            return add({"NS.objects": [encode(each) for each in value], "$class": class_of("NSArray")})
        if isinstance(value, dict):
            keys, values = [encode(key) for key in value], [encode(each) for each in value.values()]
            return add({"NS.keys": keys, "NS.objects": values, "$class": class_of("NSDictionary")})
        return add(value)

    top = {"root": encode(root)}
    return plistlib.dumps(
        {"$version": 100000, "$archiver": "NSKeyedArchiver", "$top": top, "$objects": objects}, fmt=plistlib.FMT_BINARY)


def unarchive(data):
    """The fields of an archive's root, one level deep: strings, bytes and UUIDs."""
    content = plistlib.loads(data)
    objects = content["$objects"]

    def resolve(value):
        if not isinstance(value, plistlib.UID):
            return value
        value = objects[value.data]
        if isinstance(value, dict) and "NS.uuidbytes" in value:
            return uuid.UUID(bytes=value["NS.uuidbytes"])
        if isinstance(value, dict) and "NS.keys" in value:
            keys, values = ([resolve(each) for each in value[part]] for part in ("NS.keys", "NS.objects"))
            return dict(zip(keys, values))
        return value

    root = resolve(content["$top"]["root"])
    return {key: resolve(value) for key, value in root.items() if key != "$class"}


def property_list(value):
    return plistlib.dumps(value, fmt=plistlib.FMT_BINARY)


class Peer:
    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(30)
        self.socket.connect(path)
        self.stream = self.socket.makefile("rb")
        self.send("Hello", property_list({
            "protocolVersion": 1, "role": "companion", "deviceIdentifier": str(uuid.uuid4()).upper(),
            "deviceName": "Python", "state": "foreground"}))
        hello = self.receive()
        assert hello["command"] == "Hello", hello
        assert plistlib.loads(hello["dataPackage"])["protocolVersion"] == 1

    def send(self, command, data=None, wants_reply=False):
        fields = {
            "identifier": uuid.uuid4(), "command": command, "status": "Sent", "wantsReply": wants_reply,
            "timestamp": datetime.datetime.now(datetime.timezone.utc)}
        if data is not None:
            fields["dataPackage"] = data
        body = archive(Object("MessagePackage", **fields))
        self.socket.sendall(struct.pack(">I", len(body)) + body)
        return fields["identifier"]

    def receive(self):
        """The next package; a length of version 1 has nothing but the length in its four bytes."""
        length, = struct.unpack(">I", self.stream.read(4))
        assert 0 < length <= 524_288, f"a length of {length:#x}"
        package = unarchive(self.stream.read(length))
        assert package["command"] != "Goodbye", package
        return package

    def answer(self, identifier):
        while True:
            package = self.receive()
            if package.get("answers") == identifier:
                return package

    def ask(self, command, data, wants_reply=False):
        return self.answer(self.send(command, data, wants_reply))

    def transfer(self, name, content):
        transfer = self.send("TransferFile", property_list({"name": name, "size": len(content)}))
        sent = None
        while True:
            package = self.receive()
            if package.get("answers") == transfer:
                return package
            if package["command"] != "FileProgress":
                continue
            offset = plistlib.loads(package["dataPackage"])["offset"]
            sent = offset if sent is None else sent
            while sent < len(content) and sent < offset + AHEAD * CHUNK:
                piece = content[sent:sent + CHUNK]
                chunk = {"transfer": str(transfer).upper(), "offset": sent, "bytes": piece}
                sent += len(piece)
                if sent == len(content):
                    chunk["checksum"] = zlib.crc32(content)
                self.send("FileChunk", property_list(chunk))


def quiz(number):
    answer = Object("QuizAnswer", question="Vegetables today?", choice="3 to 4 servings", points=3.0)
    taken = datetime.datetime(2026, 11, 20, 18, 30, tzinfo=datetime.timezone.utc)
    data = Object(
        "QuizData", identifier=uuid.uuid4(), title=f"Python {number}", takenAt=taken, answers=[answer],
        gradePointAverage=3.0)
    return archive({"dataKey": archive(data)})


def main(path, count, file):
    peer = Peer(path)
    for number in range(int(count)):
        reply = peer.ask("SendMessageData", quiz(number), wants_reply=True)
        verdict = unarchive(reply["dataPackage"]) if reply["status"] == "Replied" else reply
        print(json.dumps({"quiz": number, "verdict": verdict["verdict"]}), flush=True)
    for command in ("TransferUserInfo", "UpdateApplicationContext"):
        print(json.dumps({command: peer.ask(command, property_list({"from": "Python"}))["status"]}), flush=True)
    with open(file, "rb") as content:
        print(json.dumps({"TransferFile": peer.transfer("python.bin", content.read())["status"]}), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
