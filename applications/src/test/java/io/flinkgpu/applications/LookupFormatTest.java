package io.flinkgpu.applications;

import io.flinkgpu.api.lookup.ElementType;
import io.flinkgpu.api.lookup.EmbeddingTable;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.charset.StandardCharsets;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Lines of changes and lookups, right and wrong. */
class LookupFormatTest {

    private static final LookupFormat FORMAT =
            new LookupFormat(
                    List.of(
                            EmbeddingTable.of("t", 2, ElementType.F32),
                            EmbeddingTable.of("h", 1, ElementType.F16)));

    /** Of a line in the middle of others. */
    private static LookupOperation read(String line) {
        byte[] bytes = ("L\t" + line + "\tx,1").getBytes(StandardCharsets.ISO_8859_1);
        return FORMAT.open().read(7, bytes, 2, bytes.length - 4);
    }

    @Test
    void readsEachKindOfLine() {
        LookupOperation put = read("P\tt\t-9223372036854775808\t3F80000a,ffffffff");
        assertThat(put.isLookup()).isFalse();
        assertThat(put.line()).isEqualTo(7);
        assertThat(put.id()).isEqualTo(Long.MIN_VALUE);
        assertThat(put.elements()).containsExactly(0x0a, 0, 0x80, 0x3f, 0xff, 0xff, 0xff, 0xff);
        assertThat(read("P\th\t1\t12aB").elements()).containsExactly(0xab, 0x12);
        assertThat(read("X\th\t+5")).extracting(LookupOperation::id).isEqualTo(5L);
        assertThat(read("X\th\t5").change().isDelete()).isTrue();
        LookupOperation lookup = read("L\t\th\tmean\t9223372036854775807,-1");
        assertThat(lookup.isLookup()).isTrue();
        assertThat(lookup.name()).isEmpty();
        assertThat(lookup.ids()).containsExactly(Long.MAX_VALUE, -1);
        assertThat(read("L\tname\th\tnone\t").ids()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''|an operation is P with 3 more fields, X with 2 or L with 4, a tab between any two;"
                        + " see --help",
                "L;r;t;sum|an operation is P with 3 more fields, X with 2 or L with 4, a tab between any"
                        + " two; see --help",
                "Q;t;1|an operation is P with 3 more fields, X with 2 or L with 4, a tab between any"
                        + " two; see --help",
                "L;r;u;sum;1|the table of an operation is one of the file of tables, of which none has"
                        + " this name; add it there, or correct the name",
                "L;r;t;min;1|the fourth field of a lookup is none, sum, mean or max; write one of them",
                "L;r;t;sum;1,,2|an id is a whole number of 64 bits, with its sign; correct it",
                "X;t;9223372036854775808|an id is a whole number of 64 bits, with its sign; correct it",
                "P;t;1;|a vector has as many elements as its table's dimension: elements=1,"
                        + " dimension=2; write all of them",
                "P;t;1;3f800000|a vector has as many elements as its table's dimension: elements=1,"
                        + " dimension=2; write all of them",
                "P;t;1;3f800000,3f80|an element is 8 hexadecimal digits, and element 2 is something"
                        + " else; correct it",
                "P;h;1;3f8g|an element is 4 hexadecimal digits, and element 1 is something else;"
                        + " correct it",
            })
    void saysWhatIsWrong(String line, String reason) {
        assertThatThrownBy(() -> read(line.replace(';', '\t')))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(reason);
    }
}
