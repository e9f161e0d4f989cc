"""What slang says of a design, with arguments as its program has them; the exit status is 0 where that is no error."""

import sys

from pyslang.driver import Driver

driver = Driver()
driver.addStandardArgs()
words = " ".join(f'"{word}"' for word in ["slang", *sys.argv[1:]])
read = driver.parseCommandLine(words) and driver.processOptions() and driver.parseAllSources()
sys.exit(0 if read and driver.runFullCompilation(True) else 1)
