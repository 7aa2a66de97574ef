"""Records what the present programs write, into a new folder: `.ci/formats` calls it.

    record.py PROGRAMS FOLDER

Two services of two applications exchange quizzes and workouts, and two devices of one's own exchange every kind of message. What
crosses each socket is copied, and their directories are kept with deliveries still to be made.
"""

import contextlib
import json
import os
import pathlib
import shutil
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading

# The time-out of everything awaited; only a broken program reaches it.
LIMIT = 60


class Relay:
    """A socket that passes everything on to another one and keeps each side's bytes."""

    def __init__(self, path, target):
        self.bytes = {"host": b"", "companion": b""}
        self.server = socket.socket(socket.AF_UNIX)
        self.server.bind(path)
        self.server.listen()
        threading.Thread(target=self.serve, args=[target], daemon=True).start()

    def serve(self, target):
        while True:
            companion, _ = self.server.accept()
            host = socket.socket(socket.AF_UNIX)
            try:
                host.connect(target)
            except OSError:
                # The host has ended; companions try again.
                companion.close()
                continue
            for side, source, sink in [("companion", companion, host), ("host", host, companion)]:
                threading.Thread(target=self.pass_on, args=[side, source, sink], daemon=True).start()

    def pass_on(self, side, source, sink):
        with contextlib.suppress(OSError):
            while data := source.recv(1 << 16):
                self.bytes[side] += data
                sink.sendall(data)
        for each in (source, sink):
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)

    def save(self, folder, name):
        for side, content in self.bytes.items():
            (folder / f"{name}.{side}.frames").write_bytes(content)


class Program:
    """A running program whose lines can be awaited."""

    def __init__(self, arguments, **environment):
        self.lines, self.news = [], threading.Condition()
        self.process = subprocess.Popen(
            list(map(str, arguments)), env={**os.environ, **environment}, text=True, bufsize=1, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            with self.news:
                self.lines.append(line.rstrip())
                self.news.notify_all()

    def expect(self, text, count=1):
        def arrived():
            return sum(text in line for line in self.lines) >= count

        with self.news:
            if not self.news.wait_for(arrived, LIMIT):
                sys.exit(f"“{text}” did not come {count} times from {self.process.args}:\n" + "\n".join(self.lines[-20:]))

    def say(self, *lines):
        for line in lines:
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()

    def stop(self):
        self.process.terminate()
        self.process.wait(LIMIT)


def keep(state, folder):
    """Copies a directory of state without sockets, locks and logs, and each database as one file."""
    shutil.copytree(state, folder, ignore=shutil.ignore_patterns("*.sock", "*.log*", "*lock", "*.options"))
    for database in folder.rglob("*.sqlite"):
        # An app ends without closing its database, and leaves its log of changes.
        connection = sqlite3.connect(database)
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.close()
    for left in [*folder.rglob("*-wal"), *folder.rglob("*-shm")]:
        sys.exit(f"{left}: the database is still open")


def document(name, number):
    if name == "workouts":
        return {"sport": f"run {number}", "startedAt": "2026-11-20T18:30:00.250Z",
                "samples": [{"seconds": second, "rate": 100 + second % 7} for second in range(20)]}
    return {"title": f"Quiz {number}", "takenAt": "2026-11-20T18:30:00Z",
            "answers": [{"question": "Vegetables today?", "choice": "3 to 4 servings", "points": 3}], "gradePointAverage": 3.0}


def services(programs, folder, scratch):
    state = scratch / "state"
    relay = Relay(str(scratch / "relay"), str(state / "link.sock"))
    (scratch / "companion.json5").write_text(json.dumps({"link": {"socket": str(scratch / "relay")}}))

    def start(role, *more):
        program = Program([programs / "Workouts", role, "--state-directory", state, *more])
        program.expect(f"{role}: ready")
        return program

    def submit(first):
        for name in ("quizzes", "workouts"):
            file = scratch / f"{name}-{first}.json"
            file.write_text(json.dumps([document(name, number) for number in range(first, first + 3)]))
            words = [] if name == "quizzes" else ["--application", name]
            subprocess.run([programs / "watchlink", "--state-directory", state, "submit", file, *words], check=True,
                           stdout=subprocess.DEVNULL)

    host, companion = start("host"), start("companion", "--config", scratch / "companion.json5")
    submit(0)
    companion.expect("quiz replied", 3)
    companion.expect("workout replied", 3)
    host.stop()
    submit(3)
    companion.stop()
    relay.save(folder, "services")
    keep(state, folder / "services")


def devices(programs, folder, scratch):
    relay = Relay(str(scratch / "watch"), str(scratch / "phone"))

    def start(role, path):
        return Program(
            [programs / "DeviceProgram"], WATCHLINK_ROLE=role, WATCHLINK_SOCKET=str(path), WATCHLINK_DEVICE_STATE=str(scratch / f"{role}-device"),
            WATCHLINK_LOG_LEVEL="info", WATCHLINK_DEVICE_NAME="Phone" if role == "host" else "Watch")

    phone = start("host", scratch / "phone")
    phone.expect("did activate ok")
    watch = start("companion", scratch / "watch")
    for device in (phone, watch):
        device.expect("is reachable true")
    identifier = (scratch / "companion-device/device").read_text().strip()
    subprocess.run([programs / "watchlink", "watches", "complication", identifier, "on", "--control", scratch / "host-device/control.sock"],
                   check=True, stdout=subprocess.DEVNULL)
    (scratch / "file.bin").write_bytes(bytes(number * 31 & 255 for number in range(10_240)))
    for number, (sender, receiver) in enumerate([(phone, watch), (watch, phone)], 1):
        sender.say(f"message {number}", "data 1000", f"context {number}", f"info {number}", f"file {scratch / 'file.bin'}")
        for text in (f"got message {number}", "got data 1000", f"got context {number}", f"got user info {number}", "got file file.bin 10240"):
            receiver.expect(text)
        sender.expect(f"did finish user info {number} ok")
    phone.say("complication 7")
    watch.expect("got user info 7")
    # A later start finds these in the watch's database.
    phone.stop()
    watch.expect("is reachable false")
    watch.say("context 8", "info 9", "info 10", "state")
    watch.expect("state ")
    watch.stop()
    relay.save(folder, "devices")
    for role in ("host", "companion"):
        keep(scratch / f"{role}-device", folder / "devices" / role)


def cassettes(programs, folder, scratch):
    """Cassettes of two pairs of apps, each with the accepted course of its build."""
    watchlink = programs / "watchlink"
    for pair in ("library", "runner"):
        app = f"{programs / 'ReplayPair'} {pair}"
        subprocess.run(
            [watchlink, "explore", "--phone", app, "--watch", app, "--seeds", "1...1", "--kills", "0", "--hazards", "none", "--record", scratch / pair],
            check=True, stdout=subprocess.DEVNULL)
        for side in ("phone", "watch"):
            path = folder / "cassettes" / f"{pair}-{side}"
            shutil.copytree(scratch / pair / "seed-1" / f"{side}-1", path)
            subprocess.run([watchlink, "replay", path, f"--{side}", app, "--accept"], check=True, stdout=subprocess.DEVNULL)


def fault_cassettes(programs, folder, scratch):
    """Cassettes of both sides of a pair to which hazards do something, with the accepted courses: of the first seed that has it all."""
    watchlink, app = programs / "watchlink", f"{programs / 'ReplayPair'} library"
    subprocess.run(
        [watchlink, "explore", "--phone", app, "--watch", app, "--seeds", "1...40", "--kills", "0", "--hazards", "loss,slowness,duplicates",
         "--record", scratch / "faults"], check=True, stdout=subprocess.DEVNULL)

    def has_all(path):
        events = [json.loads(line) for line in (path / "events.jsonl").read_text().splitlines()]
        faults = [event for event in events if event["k"] == "fault"]
        return {"p" in event for event in faults} == {True, False}

    for number in range(1, 41):
        paths = {side: scratch / "faults" / f"seed-{number}" / f"{side}-1" for side in ("phone", "watch")}
        if all(map(has_all, paths.values())):
            break
    else:
        sys.exit("no seed has faults of messages and of the link on both sides")
    for side, recorded in paths.items():
        path = folder / "cassettes" / f"faults-{side}"
        shutil.copytree(recorded, path)
        subprocess.run([watchlink, "replay", path, f"--{side}", app, "--accept"], check=True, stdout=subprocess.DEVNULL)


def service_cassettes(programs, folder, scratch):
    """Cassettes of both services while the companion delivers what waits in its outboxes, with the accepted courses."""
    shutil.copytree(folder / "services", scratch / "state")
    for path in [scratch / "state", *(scratch / "state").rglob("*")]:
        path.chmod(0o700 if path.is_dir() else 0o600)
    running = []
    for role in ("host", "companion"):
        configuration = scratch / f"{role}.json5"
        configuration.write_text(json.dumps({"record": {"into": str(scratch / "cassettes"), "keep": ["*"]}}))
        running.append(Program([programs / "Workouts", role, "--state-directory", scratch / "state", "--config", configuration]))
    for text in ("quiz replied", "workout replied"):
        running[1].expect(text, 3)
    for program in running:
        program.stop()
    for side, role, state in (("phone", "host", []), ("watch", "companion", ["--state", folder / "services"])):
        path = folder / "cassettes" / f"services-{side}"
        shutil.copytree(scratch / "cassettes" / f"{side}-1", path)
        subprocess.run(
            [programs / "watchlink", "replay", path, f"--{side}", f"{programs / 'Workouts'} {role}", "--service", "--accept", *state],
            check=True, stdout=subprocess.DEVNULL)


def watches_cassette(programs, folder, scratch):
    """A cassette of a host to which a watch delivers a quiz while another one delivers a workout, with the accepted course."""
    def start(role, state, configuration):
        file = scratch / f"{state}.json5"
        file.write_text(json.dumps(configuration))
        program = Program([programs / "Workouts", role, "--state-directory", scratch / state, "--config", file])
        program.expect(f"{role}: ready")
        return program

    host = start("host", "host", {"record": {"into": str(scratch / "cassettes"), "keep": ["*"]}})
    running = []
    for number, name in enumerate(("quizzes", "workouts"), 1):
        watch = start("companion", name, {"link": {"socket": str(scratch / "host" / "link.sock")}})
        host.expect("peer connected", number)
        running.append(watch)
    for watch, name, text in zip(running, ("quizzes", "workouts"), ("quiz replied", "workout replied")):
        file = scratch / "document.json"
        file.write_text(json.dumps([document(name, 1)]))
        subprocess.run(
            [programs / "watchlink", "--state-directory", scratch / name, "submit", file, "--application", name], check=True,
            stdout=subprocess.DEVNULL)
        watch.expect(text)
    for program in [*running, host]:
        program.stop()
    path = folder / "cassettes" / "watches-phone"
    shutil.copytree(scratch / "cassettes" / "phone-1", path)
    subprocess.run(
        [programs / "watchlink", "replay", path, "--phone", f"{programs / 'Workouts'} host", "--service", "--accept"], check=True,
        stdout=subprocess.DEVNULL)


def main(programs, folder):
    programs, folder = pathlib.Path(programs), pathlib.Path(folder)
    folder.mkdir(parents=True)
    for part in (services, devices, cassettes, fault_cassettes, service_cassettes, watches_cassette):
        with tempfile.TemporaryDirectory() as scratch:
            os.chmod(scratch, 0o700)
            part(programs, folder, pathlib.Path(scratch))
    for role in ("host", "companion"):
        shutil.copy(f"Config/{role}.json5", folder)


main(*sys.argv[1:])
