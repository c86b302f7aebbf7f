package io.flinkgpu.operator.lines;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Covers: HoldingChoice.
 */
class HoldingChoiceTest {

    private static final int LINES = HoldingChoice.SAMPLE_LINES;

    private final HoldingChoice choice = new HoldingChoice();

    @Test
    void fewLinesSayNothing() {
        choice.held(LINES - 1, 0, true);
        choice.groupsSent();
        assertThat(choice.holds()).isTrue();
    }

    @Test
    void theMoreGroupsThereAreTheMoreLinesHaveToFindTheirs() {
        for (int sample = 1; sample <= 16; sample++) {
            choice.held(LINES, sample * (LINES / 32), false);
            assertThat(choice.holds()).as("sample=" + sample).isTrue();
        }
        choice.held(LINES, LINES / 2, false);
        assertThat(choice.holds()).as("half is enough").isTrue();
        choice.held(LINES, LINES / 2 - 1, false);
        assertThat(choice.holds()).isFalse();
    }

    @Test
    void theFirstSampleMayBePoor() {
        choice.held(LINES, LINES / 32 - 1, false);
        assertThat(choice.holds()).isFalse();
    }

    @Test
    void withoutRoomForMoreGroupsHalfOfTheLinesHaveToFindTheirs() {
        choice.held(LINES, LINES / 2, true);
        assertThat(choice.holds()).isTrue();
        choice.held(LINES, LINES / 2 - 1, true);
        assertThat(choice.holds()).isFalse();
    }

    @Test
    void groupsThatWereSentBeforeTheyWereFoundOftenWereHeldInVain() {
        choice.held(LINES, LINES / 3, false);
        choice.groupsSent();
        assertThat(choice.holds()).isFalse();
        checkSent(HoldingChoice.SENT_LINES * (long) LINES);
        choice.held(LINES, LINES / 2, false);
        choice.groupsSent();
        choice.held(LINES, LINES / 32, false);
        assertThat(choice.holds()).as("new groups, of which few are found at first").isTrue();
    }

    @Test
    void eachTimeInARowItTakesTwiceAsLongUntilLinesFindGroups() {
        for (int factor : new int[] {16, 32, 64, 128, 128}) {
            choice.held(LINES, 0, false);
            checkSent(factor * (long) LINES);
            choice.groupsSent();
        }
        choice.held(LINES, LINES, false);
        choice.groupsSent();
        choice.held(LINES, 0, false);
        checkSent(HoldingChoice.SENT_LINES * (long) LINES);
    }

    private void checkSent(long lines) {
        choice.sent((int) lines - 1);
        assertThat(choice.holds()).as("lines=" + lines).isFalse();
        choice.sent(2);
        assertThat(choice.holds()).as("lines=" + lines).isTrue();
    }
}
