# SPDX-FileCopyrightText: 2026 The rung authors
# SPDX-License-Identifier: Apache-2.0
#
# RUNG_PYTHON: a Python 3 that can import numpy, or RUNG_PYTHON-NOTFOUND. The first python3 on the
# path is often a version manager's without numpy, so each candidate is asked.

if(NOT RUNG_PYTHON)
  find_program(RUNG_PATH_PYTHON python3)
  mark_as_advanced(RUNG_PATH_PYTHON)
  set(RUNG_PYTHON RUNG_PYTHON-NOTFOUND CACHE FILEPATH "A Python 3 with numpy" FORCE)
  foreach(candidate IN ITEMS ${RUNG_PATH_PYTHON} /usr/bin/python3 /usr/local/bin/python3)
    execute_process(COMMAND ${candidate} -c "import numpy" RESULT_VARIABLE failed ERROR_QUIET)
    if(failed STREQUAL 0)
      set(RUNG_PYTHON ${candidate} CACHE FILEPATH "A Python 3 with numpy" FORCE)
      break()
    endif()
  endforeach()
endif()
