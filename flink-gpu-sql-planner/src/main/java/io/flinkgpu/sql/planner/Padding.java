package io.flinkgpu.sql.planner;

import io.flinkgpu.api.expression.TextExpression;
import io.flinkgpu.sql.operator.TextCheck;

import org.apache.calcite.rex.RexCall;

import static io.flinkgpu.api.expression.Expressions.concat;
import static io.flinkgpu.api.expression.Expressions.lit;
import static io.flinkgpu.api.expression.Expressions.when;

/** LPAD and RPAD, which in Flink count in UTF-16, made of other functions. */
final class Padding {

    private static final int MAX_LENGTH = 1_000;

    private Padding() {}

    static TextExpression left(RexTranslator t, RexCall call) throws UnsupportedException {
        int length = length(t, call);
        String pad = pad(t, call);
        if (pad.length() > 1) {
            throw new UnsupportedException("it pads with more than one character");
        }
        TextExpression text = t.checked(t.text(call, 0), TextCheck.ASCII);
        return when(text.length().lessThan(lit(length)))
                .then(concat(lit(pad.repeat(length)), text).right(length))
                .otherwise(text.left(length));
    }

    static TextExpression right(RexTranslator t, RexCall call) throws UnsupportedException {
        int length = length(t, call);
        String pad = pad(t, call);
        TextExpression text = t.checked(t.text(call, 0), TextCheck.ASCII);
        return concat(text, lit(pad.repeat(length / pad.length() + 1))).left(length);
    }

    private static int length(RexTranslator t, RexCall call) throws UnsupportedException {
        int length = t.positive(call, 1);
        if (length > MAX_LENGTH) {
            throw new UnsupportedException("a constant is more than " + MAX_LENGTH);
        }
        return length;
    }

    private static String pad(RexTranslator t, RexCall call) throws UnsupportedException {
        String pad = t.constant(call, 2);
        if (!pad.chars().allMatch(c -> c < 0x80)) {
            throw new UnsupportedException("a constant has other characters than ASCII");
        }
        return pad;
    }
}
