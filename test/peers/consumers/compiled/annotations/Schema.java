package io.swagger.v3.oas.annotations.media;

/** Replaces the annotation of swagger-core, which Debian does not package. It has no effect at run time. */
public @interface Schema {
  String name() default "";

  String description() default "";

  String example() default "";

  RequiredMode requiredMode() default RequiredMode.AUTO;

  enum RequiredMode {
    AUTO,
    REQUIRED,
    NOT_REQUIRED
  }
}
