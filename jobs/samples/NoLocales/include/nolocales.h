#pragma once

// Nothing is called from outside: what this module holds takes the place of what the linker would find
// in the toolchain's libraries.
