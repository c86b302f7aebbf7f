package io.flinkgpu.text;

import io.flinkgpu.api.Action;
import io.flinkgpu.api.AllowList;
import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.api.Validator;

import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Covers: MatchJudge, AllowList, AllowPatterns.
 */
class MatchJudgeTest {

    @Test
    void judgeAsksTheValidatorFirstAndThenTheAllowList() {
        Rule plain = Rule.of("plain", "x", Action.drop());
        Rule card = Rule.of("card", "x", Action.drop()).withValidator(Validator.LUHN);
        Rule tested =
                card.withAllowList(AllowList.ofValues("4111111111111111", "4111111111111112"));
        MatchJudge judge =
                new MatchJudge(
                        RuleSet.of(
                                plain,
                                card,
                                new Rule(
                                        "tested",
                                        "x",
                                        Action.drop(),
                                        tested.validator(),
                                        tested.allowList())));
        assertThat(judge.judges(0)).isFalse();
        assertThat(judge.judges(1)).isTrue();
        assertThat(judge(judge, 0, "anything")).isEqualTo(MatchJudge.REDACT);
        assertThat(judge(judge, 1, "4111111111111111")).isEqualTo(MatchJudge.REDACT);
        assertThat(judge(judge, 1, "4111111111111112")).isEqualTo(MatchJudge.REJECT);
        assertThat(judge(judge, 2, "4111111111111111")).isEqualTo(MatchJudge.KEEP);
        assertThat(judge(judge, 2, "4111111111111112")).isEqualTo(MatchJudge.REJECT);
        assertThat(judge(judge, 2, "378282246310005")).isEqualTo(MatchJudge.REDACT);
    }

    @Test
    void judgeLeavesNoTraceBetweenEntropyMatches() {
        Rule rule = Rule.of("r", "x", Action.drop()).withValidator(Validator.entropy(3.0));
        MatchJudge judge = new MatchJudge(RuleSet.of(rule));
        for (int n = 0; n < 3; n++) {
            assertThat(judge(judge, 0, "abcdefgh")).isEqualTo(MatchJudge.REDACT);
            assertThat(judge(judge, 0, "abcdefga")).isEqualTo(MatchJudge.REJECT);
        }
    }

    private static int judge(MatchJudge judge, int rule, String match) {
        byte[] bytes = ("<<" + match + ">>").getBytes(StandardCharsets.UTF_8);
        return judge.judge(rule, bytes, 2, bytes.length - 2);
    }
}
