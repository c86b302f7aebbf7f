package io.flinkgpu.testkit;

import io.flinkgpu.column.ColumnBatch;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VarBinaryVector;
import org.apache.arrow.vector.VectorSchemaRoot;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;

/**
 * Lines of a station and a temperature, {@code name;-12.3}, as large as those of the one billion row
 * challenge: names of 3 to 26 bytes, 13.8 bytes a line on average.
 */
public final class Measurements {

    private static final int MIN_NAME_BYTES = 3;
    private static final int MAX_LINE_BYTES = 40;
    private static final String LETTERS = "abcdefghijklmnopqrstuvwxyz";

    private final byte[][] names;
    private final Random random;

    public Measurements(int keys, Random random) {
        this.random = random;
        names = new byte[keys][];
        for (int i = 0; i < keys; i++) {
            StringBuilder name = new StringBuilder(Integer.toString(i, Character.MAX_RADIX));
            int bytes =
                    Math.min(24, MIN_NAME_BYTES + (int) (4.6 * -Math.log(1 - random.nextDouble())));
            while (name.length() < bytes) {
                name.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
            }
            name.append(random.nextInt(10) == 0 ? "\u00e9" : "");
            name.setCharAt(0, Character.toUpperCase(name.charAt(0)));
            names[i] = name.toString().getBytes(StandardCharsets.UTF_8);
        }
    }

    private Measurements(byte[][] names, Random random) {
        this.names = names;
        this.random = random;
    }

    /** Other lines of the same stations. */
    public Measurements with(Random other) {
        return new Measurements(names, other);
    }

    /** Whole lines of about so many bytes. */
    public byte[] lines(int bytes) {
        byte[] lines = new byte[bytes];
        int at = 0;
        while (at + MAX_LINE_BYTES < bytes) {
            byte[] name = names[random.nextInt(names.length)];
            System.arraycopy(name, 0, lines, at, name.length);
            at += name.length;
            lines[at++] = ';';
            int tenths = (int) Math.max(-999, Math.min(999, 120 + 100 * random.nextGaussian()));
            if (tenths < 0) {
                lines[at++] = '-';
                tenths = -tenths;
            }
            if (tenths >= 100) {
                lines[at++] = (byte) ('0' + tenths / 100);
            }
            lines[at++] = (byte) ('0' + tenths / 10 % 10);
            lines[at++] = '.';
            lines[at++] = (byte) ('0' + tenths % 10);
            lines[at++] = '\n';
        }
        return Arrays.copyOf(lines, at);
    }

    /** A batch of one row. */
    public static ColumnBatch batch(BufferAllocator allocator, byte[] lines) {
        VarBinaryVector column = new VarBinaryVector("lines", allocator);
        column.allocateNew(lines.length, 1);
        column.set(0, lines);
        column.setValueCount(1);
        return new ColumnBatch(VectorSchemaRoot.of(column), 0);
    }
}
