package io.flinkgpu.text;

import io.flinkgpu.api.Rule;
import io.flinkgpu.api.RuleSet;
import io.flinkgpu.api.Validator;
import io.flinkgpu.text.validator.Entropy;
import io.flinkgpu.text.validator.Iban;
import io.flinkgpu.text.validator.Ipv6;
import io.flinkgpu.text.validator.Luhn;
import io.flinkgpu.text.validator.UsSsn;

import org.apache.flink.annotation.Internal;

/**
 * Decides what becomes of a match by its bytes alone: validators, and values and prefixes of allow lists. Every verdict
 * takes bounded time. Not thread-safe.
 */
@Internal
public final class MatchJudge {

    /** Redact the match. */
    public static final int REDACT = 0;

    /** Keep the match, it is on the rule's allow list: later rules are tried, then the next code point. */
    public static final int KEEP = 1;

    /** No match, the validator says no: later rules are tried, then the next code point. */
    public static final int REJECT = 2;

    private final Validator[] validators;
    private final AllowedTexts[] allowed;
    private final boolean[] needsRow;
    private final short[] counts = new short[256];

    public MatchJudge(RuleSet rules) {
        validators = new Validator[rules.size()];
        allowed = new AllowedTexts[rules.size()];
        needsRow = new boolean[rules.size()];
        for (int i = 0; i < rules.size(); i++) {
            Rule rule = rules.rule(i);
            validators[i] = rule.validator();
            needsRow[i] = RowContext.isNeeded(rule);
            allowed[i] = rule.allowList().isEmpty() ? null : new AllowedTexts(rule.allowList());
        }
    }

    /** Whether a rule's matches need judging at all; if not, every match is {@link #REDACT}. */
    public boolean judges(int rule) {
        return validators[rule].kind() != Validator.Kind.NONE
                || allowed[rule] != null
                || needsRow[rule];
    }

    /** With how many of its first bytes, and its length, every match of a rule can be judged. */
    public int neededBytes(int rule) {
        int needed =
                switch (validators[rule].kind()) {
                    case NONE -> 0;
                    case LUHN -> Luhn.MAX_BYTES;
                    case IBAN -> Iban.MAX_BYTES;
                    case IPV6 -> Ipv6.MAX_BYTES;
                    case US_SSN -> UsSsn.MAX_BYTES;
                    case ENTROPY -> Entropy.MAX_BYTES;
                };
        AllowedTexts texts = allowed[rule];
        return texts == null ? needed : Math.max(needed, texts.neededBytes());
    }

    /**
     * The verdict on the match of a rule: {@code bytes[from, to)}, of which no more than {@link
     * #neededBytes} are read. The validator is asked first.
     */
    public int judge(int rule, byte[] bytes, int from, int to) {
        return accepts(validators[rule], bytes, from, to)
                ? judgeAccepted(rule, bytes, from, to)
                : REJECT;
    }

    /** As {@link #judge}, of a match that the validator accepts. */
    int judgeAccepted(int rule, byte[] bytes, int from, int to) {
        AllowedTexts texts = allowed[rule];
        return texts != null && texts.contains(bytes, from, to) ? KEEP : REDACT;
    }

    private boolean accepts(Validator validator, byte[] bytes, int from, int to) {
        return switch (validator.kind()) {
            case NONE -> true;
            case LUHN -> Luhn.accepts(bytes, from, to);
            case IBAN -> Iban.accepts(bytes, from, to);
            case IPV6 -> Ipv6.accepts(bytes, from, to);
            case US_SSN -> UsSsn.accepts(bytes, from, to);
            case ENTROPY ->
                    Entropy.accepts(bytes, from, to, validator.minMilliBitsPerByte(), counts);
        };
    }
}
