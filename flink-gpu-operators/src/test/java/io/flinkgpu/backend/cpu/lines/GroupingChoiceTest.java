package io.flinkgpu.backend.cpu.lines;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Covers: GroupingChoice.
 */
class GroupingChoiceTest {

    private static final int LINES = GroupingChoice.MIN_LINES;

    private final GroupingChoice choice = new GroupingChoice();

    @Test
    void fewLinesSayNothing() {
        choice.grouped(LINES - 1, LINES - 1, true);
        assertThat(choice.groups()).isTrue();
    }

    @Test
    void aBatchOfWhichAFifthOfTheLinesAreGroupsIsEnough() {
        choice.grouped(LINES, LINES / 5, true);
        assertThat(choice.groups()).isTrue();
        choice.grouped(LINES, LINES / 5 + 1, true);
        assertThat(choice.groups()).isFalse();
    }

    @Test
    void theBeginningOfABatchMustBePoorer() {
        choice.grouped(LINES, 5 * (LINES / 8), false);
        assertThat(choice.groups()).isTrue();
        choice.grouped(LINES, 5 * (LINES / 8) + 1, false);
        assertThat(choice.groups()).isFalse();
    }

    @Test
    void itIsTriedAgainAfterAWhile() {
        choice.grouped(LINES, LINES, false);
        choice.ungrouped(GroupingChoice.UNGROUPED_LINES * (long) LINES - 1);
        // The rest of the batch says nothing new.
        choice.grouped(LINES, LINES, true);
        assertThat(choice.groups()).isFalse();
        choice.ungrouped(5);
        assertThat(choice.groups()).isTrue();
    }

    @Test
    void eachTimeInARowItTakesTwiceAsLongUntilKeysRepeat() {
        for (int factor : new int[] {16, 32, 64, 128, 128}) {
            choice.grouped(LINES, LINES, false);
            checkUngrouped(factor);
        }
        choice.grouped(LINES, 100, true);
        choice.grouped(LINES, LINES, false);
        checkUngrouped(GroupingChoice.UNGROUPED_LINES);
    }

    private void checkUngrouped(int factor) {
        choice.ungrouped(factor * (long) LINES - 1);
        assertThat(choice.groups()).as("factor=" + factor).isFalse();
        choice.ungrouped(1);
        assertThat(choice.groups()).as("factor=" + factor).isTrue();
    }
}
