package io.flinkgpu;

import org.apache.flink.annotation.Internal;
import org.apache.flink.annotation.PublicEvolving;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import org.junit.jupiter.api.Test;

import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which types users may build on: those that say {@link PublicEvolving}.
 *
 * <p>Covers: flink-gpu-operators/src/main/java.
 */
class PublicApiTest {

    /** The packages of what users name in their code. */
    private static final Set<String> OPEN =
            Set.of(
                    "io.flinkgpu",
                    "api",
                    "api.dense",
                    "api.expression",
                    "api.lines",
                    "api.lookup",
                    "api.search",
                    "onnx",
                    "rules",
                    "source");

    /** Public types of those packages that are for the rest of the library only. */
    private static final Set<String> CLOSED =
            Set.of(
                    "Backends",
                    "CountedBytes",
                    "DeadLetterSerializer",
                    "DenseLayer",
                    "DenseSlots",
                    "DenseVector",
                    "ErrorValues",
                    "Errors",
                    "LineChunkSerializer",
                    "LineRangeSerializer",
                    "LookupResultSerializer",
                    "LookupValuesSerializer",
                    "SearchResultSerializer",
                    "SetElements",
                    "SetMatchesSerializer",
                    "SetQueryFormat",
                    "WindowResultSerializer",
                    "DescribedResultSerializer",
                    "WrapperSerializer");

    /** Internal types that users see nevertheless: an accumulator, which only Flink holds. */
    private static final Set<String> SHOWN =
            Set.of("io.flinkgpu.ExactAggregate io.flinkgpu.state.Partial");

    @Test
    void everyPublicTypeSaysWhomItIsFor() {
        Set<String> wrong = new TreeSet<>();
        publicTypes()
                .forEach(
                        type -> {
                            boolean open =
                                    OPEN.contains(MainClasses.relative(type.getPackageName()))
                                            && !CLOSED.contains(type.getSimpleName());
                            if (!type.isAnnotatedWith(open ? PublicEvolving.class : Internal.class)
                                    || type.isAnnotatedWith(
                                            open ? Internal.class : PublicEvolving.class)) {
                                wrong.add(type.getName());
                            }
                        });
        assertThat(wrong).as("types that are neither, or the wrong one").isEmpty();
    }

    /** So that a change of what is internal breaks no code of a user. */
    @Test
    void usersSeeNothingInternal() {
        Set<String> shown = new TreeSet<>();
        MainClasses.ALL.stream()
                .filter(type -> isVisible(type) && isForUsers(type))
                .forEach(
                        type ->
                                parts(type)
                                        .map(JavaClass::getBaseComponentType)
                                        .filter(part -> part.getName().startsWith(MainClasses.ROOT))
                                        .filter(part -> !isForUsers(part))
                                        .forEach(
                                                part ->
                                                        shown.add(
                                                                type.getName()
                                                                        + " "
                                                                        + part.getName())));
        assertThat(shown).containsExactlyInAnyOrderElementsOf(SHOWN);
    }

    private static Stream<JavaClass> publicTypes() {
        return MainClasses.ALL.stream()
                .filter(type -> type.isTopLevelClass())
                .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC));
    }

    private static boolean isVisible(JavaClass type) {
        return type.getModifiers().contains(JavaModifier.PUBLIC)
                && type.getEnclosingClass().map(PublicApiTest::isVisible).orElse(true);
    }

    /** Public, or for subclasses of a type that can have some; bridges are the compiler's. */
    private static boolean isOffered(JavaMember member) {
        Set<JavaModifier> modifiers = member.getModifiers();
        return (modifiers.contains(JavaModifier.PUBLIC)
                        || modifiers.contains(JavaModifier.PROTECTED))
                && !modifiers.contains(JavaModifier.SYNTHETIC)
                && !member.isAnnotatedWith(Internal.class);
    }

    /** The types that its declaration and its members name. */
    private static Stream<JavaClass> parts(JavaClass type) {
        return Stream.concat(
                Stream.concat(type.getSuperclass().stream(), type.getInterfaces().stream())
                        .flatMap(parent -> parent.getAllInvolvedRawTypes().stream())
                        .filter(part -> part.getModifiers().contains(JavaModifier.PUBLIC)),
                type.getMembers().stream()
                        .filter(PublicApiTest::isOffered)
                        .flatMap(PublicApiTest::parts));
    }

    private static Stream<JavaClass> parts(JavaMember member) {
        Stream<JavaClass> thrown =
                member instanceof JavaCodeUnit unit
                        ? unit.getThrowsClause().getTypes().stream()
                        : Stream.of();
        return Stream.concat(member.getAllInvolvedRawTypes().stream(), thrown);
    }

    private static boolean isForUsers(JavaClass type) {
        return type.getEnclosingClass()
                .map(PublicApiTest::isForUsers)
                .orElseGet(() -> type.isAnnotatedWith(PublicEvolving.class));
    }
}
