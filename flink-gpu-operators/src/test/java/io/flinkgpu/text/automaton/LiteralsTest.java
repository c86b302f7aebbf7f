package io.flinkgpu.text.automaton;

import io.flinkgpu.text.TestRules;
import io.flinkgpu.text.regex.RuleReader;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Covers: Literals, LiteralIndex.
 */
class LiteralsTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "(?i)\\bAKIA[A-Z2-7]{16}; akia; 0; 0",
                "(?:ghp|gho)_[a-z]{36}; ghp_ gho_; 0; 0",
                "[\\w.-]{0,50}token\\d; token; 0; 50",
                "\\w+@secret; @secret; 1; 2147483647",
                "abc|d(?:ef|xy)z; abc defz dxyz; 0; 0",
                "(?:abc)?def\\d; abcdef def; 0; 0",
                "x{3}; xxx; 0; 0",
                "\u00e9{2}abc; abc; 2; 8",
                "(?:pass[a-z]|key=){2,3}; pass key=; 0; 0",
                "(?<=[:=])word$; word; 0; 0",
            })
    void areWhatEveryMatchHolds(String regex, String texts, int minLead, int maxLead) {
        Literals literals = literals(regex);
        TreeSet<String> folded = new TreeSet<>();
        for (String text : texts.split(" ")) {
            StringBuilder each = new StringBuilder();
            text.chars().forEach(c -> each.append((char) Literals.fold(c)));
            folded.add(each.toString());
        }
        assertThat(literals.texts()).isEqualTo(folded);
        assertThat(literals.minLead()).isEqualTo(minLead);
        assertThat(literals.maxLead()).isEqualTo(maxLead);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[0-9a-f]{32}",
                "ab",
                "abc|de",
                "(?:abc)?\\d",
                "\u00e9\u00e9\u00e9",
                "a.b.c"
            })
    void areNoneWhereAMatchMayLackThem(String regex) {
        assertThat(literals(regex)).isNull();
    }

    @Test
    void anIndexTellsTheRulesWhoseTextsStandAtAPosition() {
        LiteralIndex index =
                new LiteralIndex(
                        List.of(
                                literals("token\\d"),
                                literals("(?i)TOKEN=|zzz"),
                                literals("\\dkey"),
                                literals("token=1"),
                                literals("token=2")));
        byte[] row = "a Token=1 9KEY zz".getBytes(StandardCharsets.US_ASCII);
        List<String> found = new ArrayList<>();
        for (int at = 0; at < row.length; at++) {
            long eight = 0;
            for (int i = Math.min(row.length, at + 8) - 1; i >= at; i--) {
                eight = eight << 8 | row[i] & 0xff;
            }
            if (index.mayStart((int) eight)) {
                for (int e = index.first(eight); e >= 0; e = index.next(e, eight)) {
                    if (index.isAt(e, eight, row.length - at)) {
                        for (int rule : index.rules(e)) {
                            int start = at - index.maxLead(rule);
                            found.add(rule + "@" + start);
                        }
                    }
                }
            }
        }
        assertThat(found).containsExactlyInAnyOrder("0@2", "1@2", "2@10", "3@2");
        assertThat(index.rules()).isEqualTo(5);
    }

    private static Literals literals(String regex) {
        return Literals.of(RuleReader.read(TestRules.of(regex)).get(0));
    }
}
