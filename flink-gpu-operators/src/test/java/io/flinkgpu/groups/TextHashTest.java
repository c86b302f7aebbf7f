package io.flinkgpu.groups;

import io.flinkgpu.column.Utf8;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Covers: TextHash.
 */
class TextHashTest {

    private static final long SEED = Long.getLong("groups.seed", System.nanoTime());
    private static final int MAX_CHARS = 70;

    private final Random random = new Random(SEED);
    private final BufferAllocator allocator = new RootAllocator();
    private final ArrowBuf memory = allocator.buffer(1024);

    @AfterEach
    void giveBack() {
        memory.close();
        allocator.close();
    }

    @Test
    void isThatOfTheString() {
        for (int length = 0; length <= MAX_CHARS; length++) {
            for (int round = 0; round < 200; round++) {
                check(text(length, 0x80));
                check(text(length, 0x800));
                check(text(length, 0xd800));
                check(text(length, 0x10000));
                check(text(length, 0x110000));
            }
        }
    }

    @Test
    void oneOtherCharacterAmongAscii() {
        for (String other :
                new String[] {"\0", "\u007f", "\u0080", "ß", "東", "\uffff", "😀", "\ud800"}) {
            for (int at = 0; at <= 40; at++) {
                check("k".repeat(at) + other + "k".repeat(40 - at));
            }
        }
    }

    /** Of code points below a bound, most of them ASCII at times; surrogates may be unpaired. */
    private String text(int length, int bound) {
        StringBuilder text = new StringBuilder();
        while (text.length() < length) {
            text.appendCodePoint(random.nextInt(random.nextBoolean() ? 0x80 : bound));
        }
        return text.toString();
    }

    private void check(String text) {
        byte[] utf8 = Utf8.encode(text);
        int at = random.nextInt(10);
        byte[] bytes = new byte[at + utf8.length + KeyBytes.PADDING];
        random.nextBytes(bytes);
        System.arraycopy(utf8, 0, bytes, at, utf8.length);
        assertThat(TextHash.of(bytes, at, utf8.length))
                .as("seed=%d, text='%s'", SEED, text)
                .isEqualTo(text.hashCode());
        KeyBytes copy = new KeyBytes();
        copy.set(utf8, 0, utf8.length);
        memory.setBytes(at, bytes, at, utf8.length + KeyBytes.PADDING);
        assertThat(TextHash.of(copy, memory.memoryAddress() + at))
                .as("seed=%d, off the heap, text='%s'", SEED, text)
                .isEqualTo(text.hashCode());
    }
}
