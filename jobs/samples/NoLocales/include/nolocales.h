#pragma once

// Has no functions to call: its definitions take precedence over those in the toolchain's libraries.
