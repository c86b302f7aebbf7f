package io.flinkgpu.column;

import io.flinkgpu.api.ColumnType;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Strings to a column and back, on the paths for short, long, ASCII and other texts.
 *
 * <p>Covers: RowValues, TextBuffers.
 */
class TextRoundTripTest {

    private static final String[] PIECES = {
        "a", "?", "~", "\u007f", "\u0080", "é", "€", "😀", "\ud800"
    };

    private final BufferAllocator allocator = new RootAllocator(8 << 20);

    @AfterEach
    void nothingIsHeld() {
        allocator.close();
    }

    @Test
    void everyLengthAndEveryPlaceOfACharacterOutsideAscii() {
        List<String> texts = new ArrayList<>();
        for (int length = 0; length < 70; length++) {
            String text = "x".repeat(length);
            texts.add(text);
            for (int at = 0; at < length; at += 7) {
                texts.add(text.substring(0, at) + "é" + text.substring(at + 1));
                texts.add(text.substring(0, at) + "\udc00" + text.substring(at + 1));
            }
        }
        assertThat(roundTrip(texts, 1 << 20)).isEqualTo(texts);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void randomTextsInFullColumns(long seed) {
        Random random = new Random(seed);
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < 3000; i++) {
            StringBuilder text = new StringBuilder();
            int pieces = random.nextInt(40) == 0 ? 10_000 : random.nextInt(60);
            boolean isAscii = random.nextBoolean();
            for (int piece = 0; piece < pieces; piece++) {
                text.append(PIECES[random.nextInt(isAscii ? 4 : PIECES.length)]);
            }
            texts.add(random.nextInt(20) == 0 ? null : text.toString());
        }
        // Few bytes a batch, so that many rows are at the end of their column.
        assertThat(roundTrip(texts, 200)).isEqualTo(texts);
        assertThat(roundTrip(texts, 1 << 20)).isEqualTo(texts);
    }

    private List<String> roundTrip(List<String> texts, int maxBytes) {
        List<String> back = new ArrayList<>();
        RowValues values = new RowValues(1);
        try (RowBatchBuilder builder =
                new RowBatchBuilder(
                        allocator, 1000, maxBytes, List.of("t"), List.of(ColumnType.TEXT))) {
            for (String text : texts) {
                if (text == null) {
                    values.putNull(0);
                } else {
                    values.putText(0, text);
                }
                if (!builder.append(values)) {
                    drain(builder, back);
                    assertThat(builder.append(values)).isTrue();
                }
            }
            drain(builder, back);
        }
        return back;
    }

    private static void drain(RowBatchBuilder builder, List<String> to) {
        try (ColumnBatch batch = builder.build()) {
            ResultReader reader = new ResultReader(batch, 0, ColumnType.TEXT);
            for (int row = 0; row < batch.rows(); row++) {
                to.add((String) reader.get(row));
            }
        }
    }
}
