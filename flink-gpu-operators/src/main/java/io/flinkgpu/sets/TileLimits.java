package io.flinkgpu.sets;

import org.apache.flink.annotation.Internal;

/**
 * How large a tile may get.
 *
 * @param documents at most 65,536, so that a slot is 16 bits
 * @param narrowElements of all documents of a narrow tile
 * @param wideElements of all documents of a wide tile
 */
@Internal
public record TileLimits(int documents, int narrowElements, int wideElements) {

    /** Elements of 16 MB either way: narrow ones are 2 bytes each, wide ones 4. */
    public static final TileLimits STANDARD = new TileLimits(1 << 16, 1 << 23, 1 << 22);

    int elements(boolean isNarrow) {
        return isNarrow ? narrowElements : wideElements;
    }
}
