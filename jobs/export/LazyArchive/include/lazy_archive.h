#pragma once

/// Loads libarchive, whose functions may be called only then: the other jobs of the same executable need
/// neither it nor the ten libraries that it needs. Null, or why it is not there.
const char *lazy_archive_load(void);
