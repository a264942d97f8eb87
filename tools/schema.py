#!/usr/bin/env python3
"""schema.py -- schemas of JSON output, made from what the commands answer

    schema.py make NSMODEL UNITS        write schema/COMMAND.schema.json
    schema.py check NSMODEL [FOLDER]    do the answers keep to the schemas?  Exit 77 without python3-jsonschema

schema/calls.txt names the command lines, schema/words.tsv says what each key means.  Lines of a variant that begins with +
are checked only: a schema has not been made from them.  Types and required keys come from the
answers, units from the program's own dimensions (tools/units.c).  Schemas are open: later versions may add keys.  The
check is closed: a key that no schema describes fails, and so does a required one that is gone.
"""
import copy
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile

TYPES = {dict: "object", list: "array", str: "string", bool: "boolean", int: "number", float: "number", type(None): "null"}


def calls(checked):
    """Of every command its variants, and of each of these the command lines; those for checks alone where asked for."""
    commands = {}
    for line in open("schema/calls.txt"):
        if line.strip() and not line.startswith("#"):
            variant, words = (part.strip() for part in line.split("|", 1))
            if checked or not variant.startswith("+"):
                commands.setdefault(words.split()[0], {}).setdefault(variant.lstrip("+"), []).append(words)
    return commands


def words():
    """Key or PARENT.KEY -> (what it means, the texts that it may be); "PATH.*" are objects whose keys are data,
    "PATH.**" those that are not looked into."""
    table = {}
    for line in open("schema/words.tsv"):
        if line.strip() and not line.startswith("#"):
            key, text, *among = line.rstrip("\n").split("\t")
            table[key] = (text, among[0].split("|") if among else None)
    return table


def run(program, line, folder, *options):
    """What a command line prints, in an environment where no file of the user changes it."""
    words = shlex.split(line.replace("TMP/", folder + "/"))
    kept = {key: value for key, value in os.environ.items() if not key.startswith("NSMODEL_") or key == "NSMODEL_BUILD"}
    kept.update(HOME=folder, XDG_CACHE_HOME=folder, XDG_CONFIG_HOME=folder, XDG_DATA_HOME=folder)
    done = subprocess.run([program, *words, *options], capture_output=True, text=True, env=kept, stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        sys.exit(f"schema.py: {line}: exit {done.returncode}: {done.stderr.strip()}")
    return done.stdout


class Shape:
    """What the values at one place of the answers have in common."""

    def __init__(self):
        self.types, self.objects, self.keys, self.seen, self.items = set(), 0, {}, {}, None
        self.whole, self.data = True, False

    def take(self, value, path, table):
        self.types.add(TYPES[type(value)])
        self.whole = self.whole and not (isinstance(value, float) and value != int(value))
        if isinstance(value, dict) and path + ".**" not in table:
            self.objects += 1
            self.data = path + ".*" in table
            for key, child in value.items():
                at = "*" if self.data else key
                self.seen[at] = self.seen.get(at, 0) + 1
                self.keys.setdefault(at, Shape()).take(child, path + "." + at, table)
        if isinstance(value, list):
            self.items = self.items or Shape()
            for child in value:
                self.items.take(child, path + "[]", table)

    def schema(self, path, table, units, missing):
        out = {}
        bare = path.replace("[]", "").split(".")
        text, among = None, None
        for name in (path, path.replace("[]", ""), ".".join(bare[-2:]), bare[-1]):
            if name in table:
                text, among = table[name]
                break
        if bare[-1] != "*" and len(bare) > 1 and not path.endswith("[]"):
            if text is None:
                missing.add(path)
            else:
                unit = units.get(path)
                out["description"] = text + (f", in {unit}" if unit and not among else "")
        # what a machine that lacks something would answer, too
        types = sorted(self.types | ({"null"} if text is not None and "null where" in text else set()))
        if "number" in types and self.whole and text is not None and text.startswith("How many"):
            types[types.index("number")] = "integer"
        if types:
            out["type"] = types[0] if len(types) == 1 else types
        if among:
            out["enum"] = among + ([None] if "null" in types else [])
        if "object" in self.types and self.data:
            out["additionalProperties"] = self.keys["*"].schema(path + ".*", table, units, missing) if self.keys else True
        elif "object" in self.types and self.objects:
            out["properties"] = {key: shape.schema(path + "." + key, table, units, missing)
                                 for key, shape in self.keys.items()}
            out["required"] = [key for key in self.keys if self.seen[key] == self.objects]
        if self.items is not None and self.items.types:
            out["items"] = self.items.schema(path + "[]", table, units, missing)
        return out


def units_of(program, lines, folder):
    found = {}
    for line in lines:
        for row in run(program, line, folder).splitlines():
            path, unit = row.split("\t")
            found.setdefault(path, set()).add(unit)
    command = lines[0].split()[0]
    return {f"{command}.{path}": units.pop() for path, units in found.items() if len(units) == 1}


def make(program, units_program):
    table, missing = words(), set()
    with tempfile.TemporaryDirectory() as folder:
        for command, variants in calls(False).items():
            definitions = {}
            for variant, lines in variants.items():
                shape = Shape()
                for line in lines:
                    shape.take(json.loads(run(program, line, folder, "--json")), command, table)
                units = units_of(units_program, lines, folder)
                definitions[variant] = {"description": f"nsmodel {lines[0]}",
                                        **shape.schema(command, table, units, missing)}
            schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": f"nsmodel:{command}",
                      "title": f"nsmodel {command} --json", "$comment": "Generated by `make schema`, not by hand"}
            if len(definitions) == 1:
                schema.update(next(iter(definitions.values())))
            else:
                schema["anyOf"] = [{"$ref": f"#/$defs/{variant}"} for variant in definitions]
                schema["$defs"] = definitions
            with open(f"schema/{command}.schema.json", "w") as file:
                json.dump(schema, file, indent=1, ensure_ascii=False)
                file.write("\n")
    if missing:
        sys.exit("schema.py: schema/words.tsv has no words for " + ", ".join(sorted(missing)))


def closed(schema):
    """The schema with no keys but those that it describes."""
    if isinstance(schema, dict):
        if "properties" in schema and "required" in schema:
            schema.setdefault("additionalProperties", False)
        for child in schema.values():
            closed(child)
    elif isinstance(schema, list):
        for child in schema:
            closed(child)
    return schema


def required_keys(schema, value, root):
    """Every place of a value whose key the schema requires: (object, key)."""
    if "$ref" in schema:
        schema = root["$defs"][schema["$ref"].rsplit("/", 1)[1]]
    if isinstance(value, dict):
        for key, child in value.items():
            if key in schema.get("required", []):
                yield value, key
            if key in schema.get("properties", {}):
                yield from required_keys(schema["properties"][key], child, root)
    if isinstance(value, list) and value and "items" in schema:
        yield from required_keys(schema["items"], value[0], root)


def check(program, folder):
    try:
        from jsonschema import Draft202012Validator as Validator
    except ImportError:
        print("python3-jsonschema is not installed")
        sys.exit(77)
    faults = answers = dropped = 0
    with tempfile.TemporaryDirectory() as scratch:
        for command, variants in calls(True).items():
            schema = closed(json.load(open(f"{folder}/{command}.schema.json")))
            Validator.check_schema(schema)
            for variant, lines in variants.items():
                # A variant's own schema: what is wrong with an answer is then said of that, not of all of them.
                own = {**schema, **schema["$defs"][variant]} if "$defs" in schema else schema
                own.pop("anyOf", None)
                validator = Validator(own)
                for line in lines:
                    answers += 1
                    answer = json.loads(run(program, line, scratch, "--json"))
                    errors = sorted(validator.iter_errors(answer), key=lambda e: e.json_path)
                    for error in errors[:3]:
                        print(f"{line}: {error.json_path}: {error.message[:200]}")
                    faults += len(errors)
                    if errors or line is not lines[0]:
                        continue
                    for holder, key in list(required_keys(own, answer, schema)):
                        value = holder.pop(key)
                        if validator.is_valid(answer):
                            print(f"{line}: nobody notices that \"{key}\" is gone")
                            faults += 1
                        holder[key] = value
                        dropped += 1
    print(f"{answers} answers, {dropped} keys dropped, {faults} faults")
    sys.exit(1 if faults else 0)


if len(sys.argv) == 4 and sys.argv[1] == "make":
    make(*sys.argv[2:])
elif len(sys.argv) in (3, 4) and sys.argv[1] == "check":
    check(sys.argv[2], sys.argv[3] if len(sys.argv) == 4 else "schema")
else:
    sys.exit(__doc__)
