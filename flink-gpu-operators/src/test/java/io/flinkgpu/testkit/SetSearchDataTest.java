package io.flinkgpu.testkit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.LongStream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Covers: SetSearchData.
 */
class SetSearchDataTest {

    @TempDir private Path folder;

    @Test
    void numbersAreThoseOfSplitMix() {
        assertThat(SetSearchData.mix(0)).isEqualTo(0xE220A8397B1DCDAFL);
    }

    @Test
    void sizesFollowTheHistogram() throws Exception {
        Path sizes = Files.writeString(folder.resolve("sizes"), "0 1\n3\t2\n4 1\n");
        SetSearchData data = new SetSearchData(sizes, true, 8);
        assertThat(LongStream.range(0, 8).mapToObj(i -> data.document(i).length))
                .containsExactly(0, 0, 3, 3, 3, 3, 4, 4);
        assertThat(LongStream.range(0, 100).mapToObj(data::drawnQuery))
                .allMatch(set -> set.length == 1 || set.length == 3 || set.length == 4)
                .allSatisfy(set -> assertThat(set).isSorted().doesNotHaveDuplicates());
        assertThat(LongStream.range(0, 9).mapToObj(data::uniformQuery))
                .allSatisfy(set -> assertThat(set).hasSizeBetween(1, 128).isSorted());
    }
}
