package io.flinkgpu.testkit;

import io.flinkgpu.api.Validator;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.charset.StandardCharsets;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Covers: OracleValidators.
 */
class OracleValidatorsTest {

    @ParameterizedTest
    @CsvSource({
        "LUHN, 4111 1111 1111 1111, true",
        "LUHN, 4111-1111-1111-1112, false",
        "LUHN, 378282246310005, true",
        "LUHN, 79927398713, false",
        "LUHN, 000000000000, true",
        "LUHN, 00000000000000000000, false",
        "IBAN, GB82 WEST 1234 5698 7654 32, true",
        "IBAN, GB82WEST12345698765432, true",
        "IBAN, GB83WEST12345698765432, false",
        "IBAN, DE89370400440532013000, true",
        "IBAN, NO9386011117947, true",
        "IBAN, ZZ89370400440532013000, false",
        "IPV6, ::, true",
        "IPV6, ::1, true",
        "IPV6, 1::, true",
        "IPV6, 2001:db8::8:800:200C:417A, true",
        "IPV6, 1:2:3:4:5:6:7:8, true",
        "IPV6, 1:2:3:4:5:6:7, false",
        "IPV6, 1:2:3:4:5:6:7:8:9, false",
        "IPV6, 1:2:3:4:5:6:7::, true",
        "IPV6, 1:2:3:4::5:6:7:8, false",
        "IPV6, 1::2::3, false",
        "IPV6, :::, false",
        "IPV6, 12345::, false",
        "IPV6, 1:, false",
        "IPV6, ::ffff:192.0.2.1, true",
        "IPV6, 1:2:3:4:5:6:192.0.2.1, true",
        "IPV6, ::256.0.0.1, false",
        "US_SSN, 123-45-6709, true",
        "US_SSN, 000-45-6789, false",
        "US_SSN, 666-45-6789, false",
        "US_SSN, 900-45-6789, false",
        "US_SSN, 123-00-6789, false",
        "US_SSN, 123-45-0000, false",
    })
    void judges(Validator.Kind kind, String text, boolean accepted) {
        byte[] match = text.getBytes(StandardCharsets.UTF_8);

        assertThat(OracleValidators.accepts(new Validator(kind, 0), match)).isEqualTo(accepted);
    }

    @ParameterizedTest
    @CsvSource({"abcd, 2.0, true", "abcd, 2.001, false", "aaaa, 0.001, false", "aabc, 1.5, true"})
    void measuresEntropy(String text, double minBitsPerByte, boolean accepted) {
        byte[] match = text.getBytes(StandardCharsets.UTF_8);

        assertThat(OracleValidators.accepts(Validator.entropy(minBitsPerByte), match))
                .isEqualTo(accepted);
    }
}
