package io.flinkgpu.sql.rules;

import io.flinkgpu.api.RuleSet;
import io.flinkgpu.text.RowRedactor;
import io.flinkgpu.text.RuleCompiler;

import org.apache.flink.annotation.Internal;
import org.apache.flink.table.data.StringData;

import java.util.Arrays;

/** Redacts one text at a time, as bytes of UTF-8. Not thread-safe. */
@Internal
public final class TextRedactor {

    private final RowRedactor redactor;
    private final long[] matchesPerRule;

    /**
     * @param hashKey empty if no rule needs one
     */
    public TextRedactor(RuleSet rules, byte[] hashKey) {
        redactor = new RowRedactor(RuleCompiler.compile(rules).requireMatchable(), hashKey);
        matchesPerRule = new long[rules.size()];
    }

    /** The same text where nothing was found in it. */
    public StringData redact(StringData text) {
        byte[] bytes = text.toBytes();
        int length = redactor.redact(bytes, bytes.length, matchesPerRule);
        return redactor.changed()
                ? StringData.fromBytes(Arrays.copyOf(redactor.buffer(), length))
                : text;
    }
}
