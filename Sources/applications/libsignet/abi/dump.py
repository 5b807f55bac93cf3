#!/usr/bin/python3
"""Writes the ABI that signet.h promises, as abidw(1) sees it: dump.py OUTPUT.

The library is Swift, whose debugging information does not know the header's types. So each function of the header is given an
empty body in C, and the ABI is that of the library made of them. The tests compare it with libsignet.abi by abidiff(1): a
difference that breaks programs is a new soname, any other a new dump.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

here = pathlib.Path(__file__).resolve().parent
header = here.parent / "include/signet.h"
code = re.sub(r"/\*.*?\*/", "", header.read_text(), flags=re.S)
functions = re.findall(r"^([a-z][\w *]*\bsignet_\w+\((?:[^()]|\([^()]*\))*\));", code, flags=re.M)
with tempfile.TemporaryDirectory() as folder:
    source, library = f"{folder}/stubs.c", f"{folder}/libsignet.so.0"
    bodies = "".join(f"{function} {{ __builtin_trap(); }}\n" for function in functions)
    pathlib.Path(source).write_text(f'#include "{header}"\n{bodies}')
    subprocess.run(
        ["clang", "-g", f"-fdebug-prefix-map={folder}=.", f"-fdebug-prefix-map={header.parent}=.", "-shared", "-fPIC", "-Wno-unused-parameter", "-fuse-ld=lld", "-Wl,-soname,libsignet.so.0",
         f"-Wl,--version-script={here.parent}/exports.map", "-o", library, source], check=True)
    subprocess.run(["abidw", "--no-corpus-path", "--no-comp-dir-path", "--no-show-locs", "--out-file", sys.argv[1], library],
                   check=True)
