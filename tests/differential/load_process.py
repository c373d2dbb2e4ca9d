"""Loads models in a process of its own, so that a crash of the engine is a failed test and not the end of all tests."""

import base64
import dataclasses
import json
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent


@dataclasses.dataclass
class Diagnostic:
    file: str
    line: int
    message: str
    hint: str

    def says(self, *words):
        """Whether all words appear in the message or its hint, in any case."""
        text = f"{self.message} {self.hint}".lower()
        return all(word.lower() in text for word in words)


@dataclasses.dataclass
class Outcome:
    """What became of a model: loaded, refused with diagnostics, or a dead process."""

    loaded: bool = False
    crashed: bool = False
    text: str = ""
    diagnostics: list = dataclasses.field(default_factory=list)


class LoadProcess:
    """Feeds models to one process, and starts another when it dies."""

    def __init__(self):
        self.process = None

    def load(self, text, assets=None, ignore=()):
        if self.process is None:
            self.process = subprocess.Popen([sys.executable, str(HERE / "load_process.py")], stdin=subprocess.PIPE,
                                            stdout=subprocess.PIPE, cwd=HERE)
        encoded = {name: base64.b64encode(content).decode() for name, content in (assets or {}).items()}
        request = json.dumps({"text": text, "assets": encoded, "ignore": list(ignore)})
        try:
            self.process.stdin.write(request.encode() + b"\n")
            self.process.stdin.flush()
            answer = self.process.stdout.readline()
        except BrokenPipeError:
            answer = b""
        if not answer:
            code = self.process.wait()
            self.process = None
            return Outcome(crashed=True, text=f"the process ended with code {code}")
        answer = json.loads(answer)
        answer["diagnostics"] = [Diagnostic(**row) for row in answer["diagnostics"]]
        return Outcome(**answer)

    def close(self):
        if self.process is not None:
            self.process.stdin.close()
            self.process.wait()


def answer_to(subject, request):
    """Loads one model and computes its first accelerations."""
    assets = {name: base64.b64decode(content) for name, content in request["assets"].items()}
    try:
        model = subject.load_string(request["text"], assets, request["ignore"])
        subject.forward(model, subject.make_data(model))
    except subject.Error as error:
        rows = [{name: getattr(diagnostic, name) for name in ("file", "line", "message", "hint")}
                for diagnostic in error.diagnostics]
        return {"text": str(error), "diagnostics": rows}
    return {"loaded": True, "diagnostics": []}


def main():
    import engines  # noqa: PLC0415 only the child needs an engine

    subject = engines.subject()
    for line in sys.stdin:
        print(json.dumps(answer_to(subject, json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
