package io.flinkgpu.sql.functions;

import io.flinkgpu.api.HashKey;
import io.flinkgpu.text.KeyedHash;

import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.table.catalog.DataTypeFactory;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.functions.FunctionContext;
import org.apache.flink.table.functions.ScalarFunction;
import org.apache.flink.table.types.inference.TypeInference;

import java.util.List;

/**
 * {@code HASH_HMAC(text)}: HMAC-SHA-256 of the text's bytes of UTF-8 under the module's key, as 64 lower-case
 * hex digits; null of null. The key is read on each TaskManager.
 */
@PublicEvolving
public final class HashHmacFunction extends ScalarFunction {

    private static final long serialVersionUID = 1L;

    private final HashKey key;
    private transient KeyedHash hash;

    /**
     * @param key null if there is none: then no call passes the planner
     */
    public HashHmacFunction(HashKey key) {
        this.key = key;
    }

    /** The key; null if there is none. */
    public HashKey key() {
        return key;
    }

    @Override
    public void open(FunctionContext context) {
        hash = new KeyedHash(key.load());
    }

    /** The hash of a text. */
    public StringData eval(StringData text) {
        if (text == null) {
            return null;
        }
        byte[] bytes = text.toBytes();
        byte[] digits = new byte[KeyedHash.HEX_DIGITS];
        hash.write(bytes, 0, bytes.length, digits.length, digits, 0);
        return StringData.fromBytes(digits);
    }

    @Override
    public TypeInference getTypeInference(DataTypeFactory typeFactory) {
        return TextArguments.inference(
                List.of(TextArguments.Argument.text("text")), call -> requireKey());
    }

    /** No: the machine that plans a query need not have the key. */
    @Override
    public boolean supportsConstantFolding() {
        return false;
    }

    private void requireKey() {
        if (key == null) {
            throw new IllegalArgumentException(
                    "HASH_HMAC needs a key: load the module with 'hash-key.path' = '<file on each"
                            + " TaskManager>'");
        }
    }
}
