package io.flinkgpu.applications;

import io.flinkgpu.api.lookup.LookupMapper;
import io.flinkgpu.api.lookup.LookupResult;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Writes a result as a line: the name of the lookup, a tab, and the bits of each float with ',' between. */
final class LookupLine implements LookupMapper<LookupOperation, byte[]> {

    private static final long serialVersionUID = 1L;

    private static final int VALUE_BYTES = 2 * Float.BYTES + 1;

    @Override
    public byte[] map(LookupResult<LookupOperation> result) {
        byte[] name = result.record().name().getBytes(StandardCharsets.ISO_8859_1);
        float[] values = result.values().values();
        int first = name.length + 1;
        int last = first + Math.max(0, VALUE_BYTES * values.length - 1);
        byte[] line = Arrays.copyOf(name, last + 1);
        line[name.length] = '\t';
        for (int i = 0; i < values.length; i++) {
            int at = first + VALUE_BYTES * i;
            HexBits.write(Float.floatToRawIntBits(values[i]), line, at);
            line[at + VALUE_BYTES - 1] = ',';
        }
        line[last] = '\n';
        return line;
    }
}
