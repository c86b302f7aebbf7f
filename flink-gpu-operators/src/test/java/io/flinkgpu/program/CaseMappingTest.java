package io.flinkgpu.program;

import org.junit.jupiter.api.Test;

import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the compiler takes for granted of the running JDK's simple case mapping.
 *
 * <p>Covers: CaseMapping.
 */
class CaseMappingTest {

    private static IntStream codePoints() {
        return IntStream.rangeClosed(0, Character.MAX_CODE_POINT);
    }

    @Test
    void mappingTwiceIsMappingOnce() {
        assertThat(
                        codePoints()
                                .map(Character::toUpperCase)
                                .filter(upper -> Character.toUpperCase(upper) != upper))
                .isEmpty();
        assertThat(
                        codePoints()
                                .map(Character::toLowerCase)
                                .filter(lower -> Character.toLowerCase(lower) != lower))
                .isEmpty();
    }

    @Test
    void onlyTheSpaceMapsToTheSpace() {
        assertThat(
                        codePoints()
                                .filter(
                                        c ->
                                                Character.toUpperCase(c) == ' '
                                                        || Character.toLowerCase(c) == ' '))
                .containsExactly((int) ' ');
    }
}
