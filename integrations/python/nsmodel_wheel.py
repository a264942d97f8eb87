"""pip's build backend (PEP 517): a wheel of this package with the C library inside, out of the checkout around it.

Only Python itself is needed, so `pip install ./integrations/python` works without a network. `make` builds the library.
"""

import base64
import hashlib
import os
import re
import subprocess
import sysconfig
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
CHECKOUT = os.path.dirname(os.path.dirname(HERE))

METADATA = """Metadata-Version: 2.1
Name: nsmodel
Version: {version}
Summary: Closed-form cost of irregular communication on supercomputers
License: BSD-3-Clause
Keywords: MPI,sparse matrices,communication,performance model,node-aware
Classifier: License :: OSI Approved :: BSD License
Classifier: Operating System :: POSIX :: Linux
Classifier: Programming Language :: C
Classifier: Programming Language :: Python :: 3
Classifier: Topic :: Scientific/Engineering
Requires-Python: >=3.8
Requires-Dist: numpy
Provides-Extra: scipy
Requires-Dist: scipy; extra == 'scipy'
Description-Content-Type: text/markdown

{readme}"""


def _read(*path):
    with open(os.path.join(*path), "rb") as file:
        return file.read()


def _library():
    """Built under the default options, whatever a make around this one was told."""
    if not os.path.exists(os.path.join(CHECKOUT, "Makefile")):
        raise RuntimeError(f"{CHECKOUT} is no checkout of nsmodel; pip before 21.3 copies the package away from it")
    environment = {name: value for name, value in os.environ.items() if not re.match("MAKE|MFLAGS", name)}
    # What make says goes to standard error: standard output is pip's.
    subprocess.run(["make", "-C", CHECKOUT, "build/libnsmodel.so"], check=True, env=environment, stdout=2)
    return _read(CHECKOUT, "build", "libnsmodel.so")


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    modules = sorted(name for name in os.listdir(os.path.join(HERE, "nsmodel")) if name.endswith(".py"))
    files = {f"nsmodel/{name}": _read(HERE, "nsmodel", name) for name in modules}
    files["nsmodel/libnsmodel.so.1"] = _library()
    version = re.search('__version__ = "(.*)"', files["nsmodel/__init__.py"].decode()).group(1)
    tag = "py3-none-" + re.sub("[-.]", "_", sysconfig.get_platform())
    about = f"nsmodel-{version}.dist-info"
    files[f"{about}/METADATA"] = METADATA.format(version=version, readme=_read(HERE, "README.md").decode()).encode()
    files[f"{about}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: nsmodel\nRoot-Is-Purelib: false\nTag: {tag}\n".encode()
    for name in "LICENSE", "LICENSES.md":
        files[f"{about}/{name}"] = _read(CHECKOUT, name)
    record = ""
    for name, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        record += f"{name},sha256={digest},{len(content)}\n"
    files[f"{about}/RECORD"] = (record + f"{about}/RECORD,,\n").encode()
    wheel = f"nsmodel-{version}-{tag}.whl"
    with zipfile.ZipFile(os.path.join(wheel_directory, wheel), "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return wheel


def build_sdist(sdist_directory, config_settings=None):
    raise RuntimeError("nsmodel's wheel is made from the checkout: `make dist` makes the archive of its sources")
