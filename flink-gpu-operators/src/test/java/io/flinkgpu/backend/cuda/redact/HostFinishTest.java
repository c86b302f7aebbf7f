package io.flinkgpu.backend.cuda.redact;

import io.flinkgpu.api.Action;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.backend.FatalDeviceException;
import io.flinkgpu.backend.plan.RedactedBatch;
import io.flinkgpu.column.BatchBuilder;
import io.flinkgpu.column.ColumnBatch;
import io.flinkgpu.column.TextView;
import io.flinkgpu.text.CompiledRules;
import io.flinkgpu.text.RuleCompiler;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.memory.util.MemoryUtil;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * What a faulty device says of a batch is refused before memory is read or written by it.
 *
 * <p>Covers: HostFinish, MovingRow, OutputColumns.
 */
class HostFinishTest {

    private static final byte[] KEY = "0123456789abcdef".getBytes(StandardCharsets.UTF_8);
    private static final int ROWS = 2;
    private static final int INPUT_BYTES = 14;
    private static final int OUTPUT_BYTES = 40;
    private static final CompiledRules RULES =
            RuleCompiler.compile(
                    RuleSet.of(Rule.of("user", "user=\\w+", Action.hash("<", 16, ">"))));

    private final RootAllocator allocator = new RootAllocator();
    private final HostFinish finish = new HostFinish(RULES, KEY);
    private ColumnBatch batch;
    private OutputColumns output;

    @BeforeEach
    void makeBatch() {
        try (BatchBuilder builder = new BatchBuilder(allocator, ROWS, 100, 0)) {
            builder.append("user=ab");
            builder.append("user=cd");
            batch = builder.build();
        }
        output = new OutputColumns(allocator, ROWS, 1, 0, OUTPUT_BYTES);
        output.putOffset(0, 0);
        output.putOffset(1, 33);
        output.putOffset(2, OUTPUT_BYTES);
    }

    @AfterEach
    void close() {
        output.close();
        batch.close();
        allocator.close();
    }

    @Test
    void aHashIsOfTheInputAndInTheOutput() throws Exception {
        writeHash(7, 7, 4, 0);
        byte[] written = new byte[OUTPUT_BYTES];
        MemoryUtil.copyFromMemory(output.dataAddress(), written, 0, OUTPUT_BYTES);
        assertThat(new String(written, 4, 18, StandardCharsets.US_ASCII)).matches("<[0-9a-f]{16}>");
        assertRefused(() -> writeHash(-1, 7, 0, 0), "the start of a match to be hashed");
        assertRefused(() -> writeHash(15, 0, 0, 0), "the start of a match to be hashed");
        assertRefused(() -> writeHash(8, 7, 0, 0), "the bytes of a match to be hashed");
        assertRefused(() -> writeHash(0, -1, 0, 0), "the bytes of a match to be hashed");
        assertRefused(() -> writeHash(0, 7, 23, 0), "the place of a hash");
        assertRefused(() -> writeHash(0, 7, -1, 0), "the place of a hash");
        assertRefused(() -> writeHash(0, 7, 0, 1), "the rule of a match to be hashed");
        assertRefused(() -> writeHash(0, 7, 0, -1), "the rule of a match to be hashed");
    }

    @Test
    void rowsLeftToTheHostAreOfTheBatchAndOnce() {
        assertRefused(() -> fill(false, 14, 33), "the start of a row left to the host");
        assertRefused(() -> fill(false, -1, 0), "the start of a row left to the host");
        assertRefused(() -> fill(false, 1, 0), "the start of a row left to the host");
        assertRefused(() -> fill(false, 7, 33, 7, 33), "the start of a row left to the host");
        assertRefused(() -> fill(false, 7, 0), "the place of a row");
        assertRefused(() -> fill(false, 7, 34), "the place of a row");
        assertRefused(() -> fill(true, 7, -1), "the place of a row");
        assertRefused(() -> fill(true, 7, OUTPUT_BYTES - 6), "the place of a row");
        assertRefused(() -> fill(true, 2, 20, 0, 0), "the start of a row left to the host");
    }

    @Test
    void aRowLeftToTheHostHasTheRoomOfItsBytes() throws Exception {
        fill(false, 7, 33);
        assertRefused(() -> fill(false, 0, 0), "the bytes of a row");
        output.putOffset(1, 36);
        assertRefused(() -> fill(false, 7, 36), "the bytes of a row");
    }

    @Test
    void linesThatKeepTheirLengthStayWhereTheyAreAndOthersMove() throws Exception {
        HostFinish labels =
                new HostFinish(
                        RuleCompiler.compile(
                                RuleSet.of(
                                        Rule.of("same", "user=\\w+", Action.label("[SECRET]")),
                                        Rule.of("drop", "id=\\d", Action.drop()),
                                        Rule.of("long", "to=\\d", Action.label("<destination>")))),
                        KEY);
        String input = "a user=abc\nb\nid=1 c\nd\nto=4\n";
        assertThat(fillLines(labels, input, "**********\nb\nid=1 c\nd\nto=4\n", 0, 0))
                .isEqualTo("a [SECRET]\nb\nid=1 c\nd\nto=4\n");
        assertThat(
                        fillLines(
                                labels,
                                input,
                                "**********\nb\n******\nd\n****\n",
                                22,
                                22,
                                0,
                                0,
                                13,
                                13))
                .isEqualTo("a [SECRET]\nb\n c\nd\n<destination>\n");
    }

    @Test
    void offsetsOfAnOutputAreChecked() throws Exception {
        output.checkOffsets();
        output.putOffset(1, 33 | 1 << 20);
        assertRefused(output::checkOffsets, "the offsets of redacted rows");
    }

    @Test
    void numbersOfAHeaderAreWithinTheBatch() throws Exception {
        new RedactHeader(1L << 40, ROWS, 3, 5, new long[1]).check(INPUT_BYTES, ROWS);
        assertRefused(() -> check(-1, 0, 0, 0), "output bytes");
        assertRefused(() -> check(0, ROWS + 1, 0, 0), "rows left to the host");
        assertRefused(() -> check(0, -1, 0, 0), "rows left to the host");
        assertRefused(() -> check(0, 0, INPUT_BYTES + 1, 0), "lines");
        assertRefused(() -> check(0, 0, 0, 1 << 30), "matches to be hashed");
    }

    private static void check(long outputBytes, int overRows, int lines, int hashMatches)
            throws FatalDeviceException {
        new RedactHeader(outputBytes, overRows, lines, hashMatches, new long[1])
                .check(INPUT_BYTES, ROWS);
    }

    private static void assertRefused(ThrowingCallable call, String what) {
        assertThatThrownBy(call)
                .isInstanceOf(FatalDeviceException.class)
                .hasMessageStartingWith("wrong in a result: " + what + ": ");
    }

    /** Lines, as the device leaves them, with those in them that start at some places; the starts are the places. */
    private String fillLines(HostFinish by, String input, String shown, int... rows)
            throws Exception {
        try (BatchBuilder builder = new BatchBuilder(allocator, 1, 100, 0);
                OutputColumns columns = new OutputColumns(allocator, 1, 3, 0, shown.length());
                ArrowBuf list = list(rows)) {
            builder.append(input);
            MemoryUtil.copyToMemory(
                    shown.getBytes(StandardCharsets.UTF_8),
                    0,
                    columns.dataAddress(),
                    shown.length());
            try (ColumnBatch lines = builder.build()) {
                OutputColumns filled =
                        by.fillRows(
                                lines.text(0),
                                true,
                                list.memoryAddress(),
                                rows.length / 2,
                                columns,
                                new long[3]);
                try (RedactedBatch redacted = filled.toLines(5, new long[3], 0)) {
                    TextView text = redacted.text();
                    return new String(text.copy(0, text.dataBytes()), StandardCharsets.UTF_8);
                } finally {
                    if (filled != columns) {
                        filled.close();
                    }
                }
            }
        }
    }

    private ArrowBuf list(int... rows) {
        ArrowBuf list = allocator.buffer(4L * rows.length);
        for (int i = 0; i < rows.length; i++) {
            list.setInt(4L * i, rows[i]);
        }
        return list;
    }

    private void writeHash(int from, int length, int to, int rule) throws FatalDeviceException {
        try (ArrowBuf patch = allocator.buffer(RedactAbi.PATCH_BYTES)) {
            patch.setInt(RedactAbi.PATCH_SOURCE_OFFSET, from);
            patch.setInt(RedactAbi.PATCH_SOURCE_BYTES, length);
            patch.setInt(RedactAbi.PATCH_OUTPUT_OFFSET, to);
            patch.setInt(RedactAbi.PATCH_RULE, rule);
            finish.writeHashes(batch.text(0), patch.memoryAddress(), 1, output);
        }
    }

    /** Starts and places of rows. */
    private void fill(boolean holdsLines, int... rows) throws Exception {
        try (ArrowBuf list = list(rows)) {
            OutputColumns filled =
                    finish.fillRows(
                            batch.text(0),
                            holdsLines,
                            list.memoryAddress(),
                            rows.length / 2,
                            output,
                            new long[1]);
            if (filled != output) {
                filled.close();
            }
        }
    }
}
