package io.flinkgpu.sql.functions;

import io.flinkgpu.api.Action;

import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.table.catalog.DataTypeFactory;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.functions.ScalarFunction;
import org.apache.flink.table.types.inference.CallContext;
import org.apache.flink.table.types.inference.TypeInference;

import java.util.List;

/**
 * {@code MASK(text [, keepFirst, keepLast [, char]])}: one mask character for each code point but the first
 * and last few; null of null. A text of {@code keepFirst + keepLast} code points or fewer is masked whole.
 * Options are constants; without them nothing is kept, and the character is {@code '*'}.
 */
@PublicEvolving
public final class MaskFunction extends ScalarFunction {

    private static final long serialVersionUID = 1L;

    /** All masked. */
    public StringData eval(StringData text) {
        return mask(text, 0, 0, '*');
    }

    /** All but the ends masked. */
    public StringData eval(StringData text, Integer keepFirst, Integer keepLast) {
        return mask(text, keepFirst, keepLast, '*');
    }

    /** All but the ends masked, with a character. */
    public StringData eval(
            StringData text, Integer keepFirst, Integer keepLast, StringData maskChar) {
        return mask(text, keepFirst, keepLast, maskChar.toString().charAt(0));
    }

    @Override
    public TypeInference getTypeInference(DataTypeFactory typeFactory) {
        return TextArguments.inference(
                List.of(
                        TextArguments.Argument.text("text"),
                        TextArguments.Argument.number("keepFirst"),
                        TextArguments.Argument.number("keepLast"),
                        TextArguments.Argument.text("char")),
                MaskFunction::check);
    }

    private static void check(CallContext call) {
        int arguments = call.getArgumentDataTypes().size();
        if (arguments == 2) {
            throw new IllegalArgumentException(
                    "MASK keeps code points at both ends: give keepFirst and keepLast, for example"
                            + " MASK(text, 0, 4)");
        }
        if (arguments > 2) {
            String maskChar = arguments == 3 ? "*" : option(call, 3, String.class);
            if (maskChar.length() != 1) {
                throw new IllegalArgumentException(
                        "MASK puts one character in place of each: char='" + maskChar + "'");
            }
            new Action.Mask(
                    option(call, 1, Integer.class),
                    option(call, 2, Integer.class),
                    maskChar.charAt(0));
        }
    }

    private static <T> T option(CallContext call, int index, Class<T> type) {
        return call.getArgumentValue(index, type).orElseThrow();
    }

    private static StringData mask(StringData text, int keepFirst, int keepLast, char maskChar) {
        if (text == null) {
            return null;
        }
        int[] codePoints = text.toString().codePoints().toArray();
        boolean whole = codePoints.length <= keepFirst + keepLast;
        int from = whole ? 0 : keepFirst;
        int to = codePoints.length - (whole ? 0 : keepLast);
        for (int i = from; i < to; i++) {
            codePoints[i] = maskChar;
        }
        return StringData.fromString(new String(codePoints, 0, codePoints.length));
    }
}
